// Finds the first program of the README, converts it for the three ways of loading a package, and runs it with a real
// socket.
//
// It is the only block with the info string `js first-program`. It listens on `port: 3000`, imports names, and a
// comment in it contains its response:
//
//   // curl localhost:3000/hello/ada → {"hello":"ada"}
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFences } from './fences.mjs';

const responseTimeoutMs = 20_000;
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

/**
 * The ES module and TypeScript are unchanged; for CommonJS, imports become `require`. `runs` is the file that Node runs,
 * which for TypeScript the compiler writes.
 */
export function deriveForms({ code }) {
  const imports = /^import (\{[^}]*\}) from ('[^']+');$/gm;
  const required = [...code.matchAll(imports)].map(([, names, from]) => `const ${names} = require(${from});`);
  const commonJs = `${required.join('\n')}\n(async () => {\n${code.replace(imports, '')}\n})();\n`;
  return [
    { title: 'ESM', file: 'program.mjs', runs: 'program.mjs', code },
    { title: 'CommonJS', file: 'program.cjs', runs: 'program.cjs', code: commonJs },
    { title: 'TypeScript', file: 'program.mts', runs: 'out/program.mjs', code },
  ];
}

/**
 * @param {string} file A form of the program, or what it was compiled to.
 * @throws if it does not respond in time, or sends another response
 */
export async function runFirstProgram(file, { path, body }) {
  const port = await findFreePort();
  writeFileSync(file, readFileSync(file, 'utf8').replace('port: 3000', `port: ${port}`));
  const child = spawn(process.execPath, [file], { cwd: dirname(file) });
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
