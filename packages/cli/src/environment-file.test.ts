import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder, runCommand, writeFiles } from '../test/support/command.ts';
import { flavors } from '../test/support/flavors.ts';
import { Running, sendRequest } from '../test/support/server.ts';

const source = `${flavors.ambit}app.get('/', () => process.env.GREETING ?? 'none');\nexport default app;`;
const application = (variables: string) => makeFolder({ 'app.js': source, '.env': variables });

/** In one step: between two, the file would be empty. */
function replace(folder: string, variables: string): void {
  writeFiles(folder, { new: variables });
  renameSync(join(folder, 'new'), join(folder, '.env'));
}

test('the application sees the variables of .env', async () => {
  const { stdout } = await runCommand(application('GREETING=hello'), ['request', '/']);
  expect(stdout).toBe('hello');
});

test('a variable that is already set has precedence, even if it is empty', async () => {
  const folder = application('GREETING=hello');
  expect((await runCommand(folder, ['request', '/'], { env: { GREETING: 'hi' } })).stdout).toBe('hi');
  expect((await runCommand(folder, ['request', '/'], { env: { GREETING: '' } })).stdout).toBe('');
});

for (const args of [[], ['--workers', '1']]) {
  test(`start ${args.join(' ')}: it listens on HOST and PORT of .env`, async () => {
    const server = new Running(application('GREETING=hello\nHOST=127.0.0.1\nPORT=0'), ['start', ...args]);
    const address = await server.address();
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await sendRequest(address)).body).toBe('hello');
    await server.stop();
  });
}

test('dev restarts with the new variables when .env changes', async () => {
  const folder = application('GREETING=hello');
  const server = new Running(folder, ['dev', '--port', '0']);
  const address = await server.address();
  replace(folder, 'GREETING=hi');
  await server.until(/\.env changed: ready in/);
  expect((await sendRequest(address)).body).toBe('hi');
  replace(folder, '# GREETING=hi');
  await server.until(/\.env changed: ready in/);
  expect((await sendRequest(address)).body).toBe('none');
  await server.stop();
});

test('tests that `routes --unused` runs have the same environment as without the command', async () => {
  const folder = application('GREETING=hello');
  const print = ['--', process.execPath, '--print', 'process.env.GREETING'];
  const { stderr } = await runCommand(folder, ['routes', '--unused', ...print]);
  expect(stderr).toBe('undefined\n');
});

test('a .env that cannot be read is reported in one line', async () => {
  const folder = makeFolder({ 'app.js': source });
  mkdirSync(join(folder, '.env'));
  const { code, stdout, stderr } = await runCommand(folder, ['routes']);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^ambit: \.env: it cannot be read: EISDIR.*`NAME=value`\.\n$/);
});
