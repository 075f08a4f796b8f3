/** Runs the program without a terminal: the files that it writes, its output, and the arguments that it rejects. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { readToMark } from '../../ambit/test/support/read-to-mark.ts';

const program = fileURLToPath(new URL('../bin/create-ambit.cjs', import.meta.url));

const { npm_config_user_agent: _, ...environment } = process.env;

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'create-ambit-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function start(cwd: string, args: string[], env: NodeJS.ProcessEnv = {}, file = program) {
  const child = spawn(process.execPath, [file, ...args], { cwd, env: { ...environment, ...env } });
  const printed = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.stderr += text;
  });
  return { child, printed };
}

async function runProcess(cwd: string, args: string[], env: NodeJS.ProcessEnv = {}, file = program) {
  const { child, printed } = start(cwd, args, env, file);
  const [status] = await once(child, 'close');
  return { status, ...printed };
}

let shared: ChildProcess | undefined;
afterAll(() => void shared?.kill());

/** Runs the program in a process that the tests share, one after the other: for what starts no other program. */
async function run(folder: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const mark = '\0end\0';
  shared ??= fork(fileURLToPath(new URL('support/create-process.cjs', import.meta.url)), {
    env: environment,
    silent: true,
  });
  const outputs = [readToMark(shared.stdout!, mark), readToMark(shared.stderr!, mark)] as const;
  const answer = once(shared, 'message');
  shared.send({ folder, args, env, mark });
  const [[status], stdout, stderr] = await Promise.all([answer, ...outputs]);
  return { status, stdout, stderr };
}

/** Creates a program with this name. Returns a PATH in which its folder is first. */
function makeProgram(name: string, script: string): NodeJS.ProcessEnv {
  const folder = makeFolder();
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  return { PATH: `${folder}${delimiter}${process.env.PATH}` };
}

const openHello = 'open http://localhost:3000/hello/ada?times=2 in a browser';

test('without a terminal it asks nothing, and ends with what to do next in three lines', async () => {
  const folder = makeFolder();
  const { status, stdout, stderr } = await runProcess(folder, ['notes', '--javascript']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toBe(
    `Created notes: template minimal, JavaScript\n\nNext:\n  cd notes\n  npm install && npm run dev\n  ${openHello}\n`,
  );
  expect(readdirSync(join(folder, 'notes')).sort()).toEqual([
    '.gitignore',
    'README.md',
    'app.js',
    'app.test.js',
    'biome.json',
    'package.json',
  ]);
});

test('the folder gives the package its name', async () => {
  const folder = makeFolder();
  await run(folder, ['apps/notes', '--javascript']);
  expect(JSON.parse(readFileSync(join(folder, 'apps/notes/package.json'), 'utf8')).name).toBe('notes');
  expect(readFileSync(join(folder, 'apps/notes/README.md'), 'utf8')).toMatch(/^# notes\n/);
});

test('without a folder, the folder is my-api', async () => {
  const folder = makeFolder();
  expect((await run(folder, ['--yes', '--javascript'])).status).toBe(0);
  expect(readdirSync(folder)).toEqual(['my-api']);
});

test('the folder in which the program runs needs no `cd`', async () => {
  const folder = join(makeFolder(), 'notes');
  mkdirSync(join(folder, '.git'), { recursive: true });
  const { stdout } = await run(folder, ['.', '--javascript']);
  expect(stdout).toMatch(/Next:\n {2}npm install && npm run dev\n {2}open .*\n$/);
  expect(readdirSync(folder)).toContain('.git');
});

test.each([
  ['npm/10.9.2 node/v22.18.0 linux x64', 'npm install && npm run dev'],
  ['pnpm/10.34.8 npm/? node/v22.18.0 linux x64', 'pnpm install && pnpm run dev'],
  ['yarn/1.22.22 npm/? node/v22.18.0 linux x64', 'yarn install && yarn run dev'],
  ['yarn/4.18.1 npm/? node/v22.18.0 linux x64', 'yarn install && yarn run dev'],
  ['bun/1.3.0 npm/? node/v24.3.0 linux x64', 'bun install && bun run dev'],
  ['something/1.0.0', 'npm install && npm run dev'],
])('if %s runs it, the next command is `%s`', async (agent, line) => {
  const { stdout } = await run(makeFolder(), ['x1', '--javascript'], { npm_config_user_agent: agent });
  expect(stdout.trimEnd().split('\n').at(-2)?.trim()).toBe(line);
});

test.each([
  ['Notes', 'it has capital letters. ', 'Try `notes`'],
  ['My API', 'it has capital letters, and a space. ', 'Try `my-api`'],
  ['Bad_Name!', 'it has capital letters, and `!`. ', 'Try `bad_name`'],
  ['Ünï', 'it has other characters than a to z, 0 to 9, `-`, `_` and `.`: `Ü`, `ï`. ', 'Try `uni`'],
  ['a b', 'it has other characters than a to z, 0 to 9, `-`, `_` and `.`: a space. ', 'Try `a-b`'],
  ['a~b~', 'it has other characters than a to z, 0 to 9, `-`, `_` and `.`: `~`. ', 'Try `a-b`'],
  ['.notes', 'it begins with `.`', 'Try `notes`'],
  ['_notes', 'it begins with `_`', 'Try `notes`'],
  ['node_modules', 'the name is reserved', 'Try `node_modules-app`'],
  ['http', 'a module of Node has this name', 'Try `http-app`'],
  ['日本', 'it has other characters', ''],
  ['n'.repeat(215), 'it has more than 214 characters', `Try \`${'n'.repeat(214)}\``],
])('the name %s is refused with the reason and a better one', async (name, reason, remedy) => {
  const folder = makeFolder();
  const { status, stdout, stderr } = await run(folder, [name, '--javascript']);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(reason);
  expect(stderr).toContain(remedy);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(readdirSync(folder)).toEqual([]);
});

test('an empty name is refused', async () => {
  const { status, stderr } = await runProcess(makeFolder(), ['', '--javascript']);
  expect(status).toBe(2);
  expect(stderr).toBe('create-ambit: the folder needs a name.\n');
});

test('a folder with files is rejected and not changed', async () => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'notes'));
  for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(folder, 'notes', name), name);
  const { status, stderr } = await run(folder, ['notes', '--javascript']);
  expect(status).toBe(2);
  expect(stderr).toBe(
    'create-ambit: the folder `notes` is not empty: it has a, b, c and 1 more. Give another folder, or move these files away.\n',
  );
  expect(readdirSync(join(folder, 'notes'))).toEqual(['a', 'b', 'c', 'd']);
});

test('a file with the name of the folder is refused', async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'notes'), 'mine');
  const { status, stderr } = await run(folder, ['notes', '--javascript']);
  expect(status).toBe(2);
  expect(stderr).toContain('`notes` is a file');
  expect(readFileSync(join(folder, 'notes'), 'utf8')).toBe('mine');
});

test('a folder that cannot be created is an error of one line', async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'file'), 'mine');
  const { status, stderr } = await run(folder, ['file/notes', '--javascript']);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^create-ambit: ENOTDIR: .*\n$/);
});

test.each([
  [['--tmplate'], 'there is no option `--tmplate`. See --help'],
  [['--template'], '`--template` needs a value: `minimal` or `service`'],
  [['-t'], '`--template` needs a value: `minimal` or `service`'],
  [['--javascript=yes'], "Option '--javascript' does not take an argument. See --help"],
  [['--template', 'big'], 'there is no template `big`. The templates are minimal and service'],
  [['--runtime', 'browser'], 'there is no runtime `browser`. The runtimes are node, bun, deno, cloudflare'],
  [['--runtime', ''], 'there is no runtime ``. The runtimes are node, bun, deno, cloudflare'],
  [['--runtime'], '`--runtime` needs a value: `node`, `bun`, `deno` or `cloudflare`'],
  [['--runtime', '--yes'], '`--runtime` needs a value: `node`, `bun`, `deno` or `cloudflare`'],
  [['a', 'b'], 'one folder is enough, but there are two: `a` and `b`'],
  [
    ['a', 'minimal'],
    'npm keeps options for itself unless they follow `--`. Write: npm create ambit a -- --template minimal',
  ],
])('%j is rejected with an explanation', async (args, message) => {
  const folder = makeFolder();
  const { status, stdout, stderr } = await run(folder, args);
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: '',
    stderr: `create-ambit: ${message}.\n`,
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('--version prints the version of package.json', async () => {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(await run(makeFolder(), ['--version'])).toEqual({
    status: 0,
    stdout: `${manifest.version}\n`,
    stderr: '',
  });
});

test.each(['--help', '-h'])('%s lists every option and creates nothing', async (flag) => {
  const folder = makeFolder();
  const { status, stdout } = await run(folder, [flag]);
  expect(status).toBe(0);
  for (const name of [
    'template',
    'runtime',
    'javascript',
    'yes',
    'install',
    'no-install',
    'git',
    'help',
    'version',
  ])
    expect(stdout).toContain(`--${name}`);
  expect(readdirSync(folder)).toEqual([]);
});

test('--install installs, and the next line starts the application', async () => {
  const folder = makeFolder();
  const env = makeProgram('npm', 'echo "$@" > installed');
  const { status, stdout } = await runProcess(folder, ['notes', '--javascript', '--install'], env);
  expect(status).toBe(0);
  expect(readFileSync(join(folder, 'notes/installed'), 'utf8')).toBe('install\n');
  expect(stdout).toContain('Installing packages with npm …\n');
  expect(stdout).toMatch(/Next:\n {2}cd notes\n {2}npm run dev\n {2}open .*\n$/);
});

test('if the install fails, the application stays, with what the package manager printed', async () => {
  const folder = makeFolder();
  const env = makeProgram('npm', 'echo no network; exit 3');
  const { status, stdout, stderr } = await runProcess(folder, ['notes', '--javascript', '--install'], env);
  expect(status).toBe(1);
  expect(stderr).toBe('`npm install` failed: no network\n');
  expect(existsSync(join(folder, 'notes/package.json'))).toBe(true);
  expect(stdout).toContain('\n  npm install && npm run dev\n');
});

test('--no-install has precedence', async () => {
  const folder = makeFolder();
  const { stdout } = await run(folder, ['notes', '--javascript', '--install', '--no-install']);
  expect(stdout).toContain('\n  npm install && npm run dev\n');
});

test.each([
  [['--template', 'service', '--runtime', 'bun'], 'open http://localhost:3000/docs in a browser'],
  [['--runtime', 'bun'], openHello],
])('%j shows its first page', async (args, line) => {
  const { stdout } = await run(makeFolder(), ['notes', '--javascript', ...args]);
  expect(stdout.trimEnd().split('\n').at(-1)?.trim()).toBe(line);
});

test('a missing package manager is reported', async () => {
  const env = { PATH: makeFolder(), npm_config_user_agent: 'pnpm/10.0.0' };
  const { status, stderr } = await runProcess(makeFolder(), ['notes', '--javascript', '--install'], env);
  expect(status).toBe(1);
  expect(stderr).toContain('`pnpm install` failed: `pnpm` is not installed');
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s during the install removes what was created', async (signal, exitCode) => {
  const folder = makeFolder();
  const env = makeProgram('npm', 'echo part > node_modules; exec sleep 600');
  const { child, printed } = start(folder, ['apps/notes', '--javascript', '--install'], env);
  await once(child.stdout, 'data');
  while (!printed.stdout.includes('Installing')) await once(child.stdout, 'data');
  child.kill(signal);
  const [status] = await once(child, 'close');
  expect(status).toBe(exitCode);
  expect(printed.stderr).toContain('what was created is removed');
  expect(readdirSync(folder)).toEqual([]);
});

test('a signal does not remove files that were in the folder before', async () => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'notes/.git'), { recursive: true });
  const env = makeProgram('npm', 'exec sleep 600');
  const { child, printed } = start(folder, ['notes', '--javascript', '--install'], env);
  await once(child.stdout, 'data');
  while (!printed.stdout.includes('Installing')) await once(child.stdout, 'data');
  child.kill('SIGINT');
  await once(child, 'close');
  expect(readdirSync(join(folder, 'notes'))).toEqual(['.git']);
});

test('--git starts a repository', async () => {
  const folder = makeFolder();
  expect((await runProcess(folder, ['notes', '--javascript', '--git'])).status).toBe(0);
  expect(existsSync(join(folder, 'notes/.git/HEAD'))).toBe(true);
});

test('--git does not change an existing repository', async () => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'notes/.git'), { recursive: true });
  expect((await runProcess(folder, ['notes', '--javascript', '--git'])).status).toBe(0);
  expect(readdirSync(join(folder, 'notes/.git'))).toEqual([]);
});

test('every module of Node is rejected as a name', async () => {
  const { findFault } = await import('../src/folder.ts');
  for (const name of builtinModules.filter((name) => !name.includes('/')))
    expect(findFault(name), name).toContain('npm does not accept');
});

test.each([
  ['bun', 'Bun', 'bun install && bun run dev', ['package.json', 'server.js']],
  ['deno', 'Deno', 'deno install && deno task dev', ['deno.json', 'package.json', 'server.js']],
])('--runtime %s writes what the runtime needs, and asks nothing', async (runtime, title, line, files) => {
  const folder = makeFolder();
  const { status, stdout, stderr } = await run(folder, ['notes', '--javascript', '--runtime', runtime]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toBe(
    `Created notes: template minimal, JavaScript, for ${title}\n\nNext:\n  cd notes\n  ${line}\n  ${openHello}\n`,
  );
  expect(readdirSync(join(folder, 'notes'))).toEqual(expect.arrayContaining(files));
});

test('--runtime node writes the same as no runtime', async () => {
  const folder = makeFolder();
  await run(folder, ['given', '--javascript', '--runtime', 'node']);
  await run(folder, ['left-out', '--javascript']);
  expect(readdirSync(join(folder, 'given'))).toEqual(readdirSync(join(folder, 'left-out')));
});

test('the service for Bun has an image of Bun, without an empty step', async () => {
  const folder = makeFolder();
  await run(folder, ['notes', '--javascript', '--template', 'service', '--runtime', 'bun']);
  const dockerfile = readFileSync(join(folder, 'notes/Dockerfile'), 'utf8');
  expect(dockerfile).toMatch(/^FROM oven\/bun:1-slim\n/);
  expect(dockerfile).toContain(
    'COPY package.json bun.lock ./\nRUN bun install --frozen-lockfile --production\n',
  );
  expect(dockerfile).toContain('CMD ["bun", "src/server.js"]');
});

test('the service for Deno has an image of Deno, which starts it as the task does', async () => {
  const folder = makeFolder();
  await run(folder, ['notes', '--javascript', '--template', 'service', '--runtime', 'deno']);
  const dockerfile = readFileSync(join(folder, 'notes/Dockerfile'), 'utf8');
  expect(dockerfile).toMatch(/^FROM denoland\/deno:2/);
  expect(dockerfile).toContain('COPY deno.json package.json deno.lock ./\nRUN deno install --frozen\n');
  expect(readFileSync(join(folder, 'notes/.dockerignore'), 'utf8')).toContain('!deno.json\n');
  const { tasks } = JSON.parse(readFileSync(join(folder, 'notes/deno.json'), 'utf8'));
  const command: string[] = JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]');
  expect(command.join(' ')).toBe(tasks.start);
});

const createFromClone = fileURLToPath(new URL('../../../scripts/create.mjs', import.meta.url));
const everyOption = ['template', 'runtime', 'javascript', 'yes', 'no-install', 'git', 'help'];

test.each(['--help', '-h'])('`npm run create -- %s` lists every option', async (flag) => {
  const { status, stdout, stderr } = await runProcess(makeFolder(), [flag], {}, createFromClone);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  for (const name of everyOption) expect(stdout).toContain(`--${name}`);
});

test('`npm run create` without a folder is wrong usage', async () => {
  const { status, stdout, stderr } = await runProcess(makeFolder(), ['--yes'], {}, createFromClone);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  for (const name of everyOption) expect(stderr).toContain(`--${name}`);
});

/** A program that creates applications with packages from files, as `npm run create` does. */
function makeProgramWithPackages(addPackages: string): string {
  const file = join(makeFolder(), 'create.cjs');
  const dist = fileURLToPath(new URL('../dist/', import.meta.url));
  const [main, templates] = [join(dist, 'main.cjs'), join(dist, 'templates')].map((path) =>
    JSON.stringify(path),
  );
  writeFileSync(file, `require(${main}).main(${templates}, ${addPackages});`);
  return file;
}

const writeVendor =
  "(folder) => require('node:fs').writeFileSync(require('node:path').join(folder, 'vendor'), '')";

test('packages from files are in the application before they are installed', async () => {
  const folder = makeFolder();
  const env = makeProgram('npm', 'ls vendor > found');
  const args = ['notes', '--javascript', '--install', '--git'];
  const { status, stderr } = await runProcess(folder, args, env, makeProgramWithPackages(writeVendor));
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(readFileSync(join(folder, 'notes/found'), 'utf8')).toBe('vendor\n');
  expect(existsSync(join(folder, 'notes/.git/HEAD'))).toBe(true);
});

test('if the packages cannot be added, nothing is left', async () => {
  const folder = makeFolder();
  const file = makeProgramWithPackages("() => { throw new Error('no space is left') }");
  expect(await runProcess(folder, ['notes', '--javascript'], {}, file)).toEqual({
    status: 1,
    stdout: '',
    stderr: 'create-ambit: no space is left.\n',
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('npm installs packages from files for Deno, which cannot install them', async () => {
  const folder = makeFolder();
  const args = ['notes', '--javascript', '--runtime', 'deno'];
  const { stdout } = await runProcess(folder, args, {}, makeProgramWithPackages(writeVendor));
  expect(stdout).toContain('Next:\n  cd notes\n  npm install && deno task dev\n');
  const readme = readFileSync(join(folder, 'notes/README.md'), 'utf8');
  expect(readme).toContain('\nnpm install && deno task dev\n');
});

test('the README for Deno has the command that is printed', async () => {
  const folder = makeFolder();
  await run(folder, ['notes', '--javascript', '--runtime', 'deno']);
  const readme = readFileSync(join(folder, 'notes/README.md'), 'utf8');
  expect(readme).toContain('\ndeno install && deno task dev\n');
});
