// Finds the first program of the README, converts it for the three ways of loading a package, and runs it with a real
// socket.
//
// It is the only block with the info string `js first-program`. It listens on `port: 3000`, imports names, and a
// comment in it contains its response:
//
//   // curl localhost:3000/hello/ada → {"hello":"ada"}
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFences } from './fences.mjs';

const responseTimeoutMs = 20_000;
const typescriptConfig = {
  compilerOptions: {
    strict: true,
    target: 'es2023',
    module: 'nodenext',
    types: ['node'],
    skipLibCheck: false,
    outDir: 'out',
  },
  files: ['program.mts'],
};

/** @throws if the page does not have the block, or the block has no port or no response */
export function readFirstProgram(page) {
  if (!existsSync(page)) throw new Error(`${page}: missing, so there is no first program to run`);
  const blocks = findFences(page, readFileSync(page, 'utf8')).filter(
    ({ info }) => info === 'js first-program',
  );
  if (blocks.length !== 1) {
    throw new Error(`${page}: needs one code block with info \`js first-program\`, has ${blocks.length}`);
  }
  const [{ code, line }] = blocks;
  const [, path, body] = /^\s*\/\/ curl localhost:3000(\S*) → (.+)$/m.exec(code) ?? [];
  if (body === undefined)
    throw new Error(`${page}:${line}: needs a line \`// curl localhost:3000/… → response\``);
  if (!code.includes('port: 3000')) throw new Error(`${page}:${line}: needs to listen on \`port: 3000\``);
  return { code, response: { path, body: body.trim() } };
}

/** The ES module and TypeScript are unchanged; for CommonJS, imports become `require`. */
export function deriveForms({ code }) {
  const imports = /^import (\{[^}]*\}) from ('[^']+');$/gm;
  const required = [...code.matchAll(imports)].map(([, names, from]) => `const ${names} = require(${from});`);
  const commonJs = `${required.join('\n')}\n(async () => {\n${code.replace(imports, '')}\n})();\n`;
  return [
    { title: 'ESM', file: 'program.mjs', code },
    { title: 'CommonJS', file: 'program.cjs', code: commonJs },
    { title: 'TypeScript', file: 'program.mts', code },
  ];
}

/** @throws if it does not compile, does not respond in time, or sends another response */
export async function runFirstProgram(consumer, { file, code }, { path, body }) {
  const port = await findFreePort();
  writeFileSync(join(consumer, file), code.replace('port: 3000', `port: ${port}`));
  const program = file.endsWith('.mts') ? compile(consumer) : file;
  const child = spawn(process.execPath, [program], { cwd: consumer });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  try {
    const response = await waitForResponse(`http://localhost:${port}${path}`, child);
    if (response !== body) throw new Error(`responded with ${response}, the README says ${body}`);
  } catch (error) {
    throw new Error(`${error.message}\n${output}`);
  } finally {
    await stop(child);
  }
}

async function findFreePort() {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

function compile(consumer) {
  writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify(typescriptConfig));
  const args = ['node_modules/typescript/bin/tsc', '--pretty', 'false'];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: consumer, encoding: 'utf8' });
  if (status !== 0) throw new Error(`does not type-check\n${stdout}`);
  return 'out/program.mjs';
}

/** Sends requests until the server runs. Stops if the program has ended. */
async function waitForResponse(url, child) {
  const deadlineMs = Date.now() + responseTimeoutMs;
  while (child.exitCode === null && Date.now() < deadlineMs) {
    const response = await fetch(url).catch(() => undefined);
    if (response) return await response.text();
    await sleep(50);
  }
  throw new Error(
    child.exitCode === null ? `no response in ${responseTimeoutMs} ms` : `ended with ${child.exitCode}`,
  );
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
