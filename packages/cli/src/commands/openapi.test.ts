import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { makeFolder, runCommand, runShared } from '../../test/support/command.ts';

const declare = `
app.register(openapi, { info: { title: 'Notes', version: '1.0.0' } });
app.get('/notes', { schema: { summary: 'Lists notes' } }, () => []);
export default app;
`;
const flavors = {
  ambit: `import { ambit } from 'ambit';\nimport { openapi } from '@ambit/openapi';\nconst app = ambit();${declare}`,
  'the facade': `import fastify from '@ambit/fastify';\nimport { openapi } from '@ambit/openapi';\nconst app = fastify();${declare}`,
};

for (const [flavor, source] of Object.entries(flavors)) {
  test(`${flavor}: it writes the document with the options of the plugin`, async () => {
    const folder = makeFolder({ 'app.js': source });
    expect(await runShared(folder, ['openapi'])).toEqual({
      code: 0,
      stdout: 'openapi.json: written\n',
      stderr: '',
    });
    const document = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8'));
    expect(document).toMatchObject({
      info: { title: 'Notes' },
      paths: { '/notes': { get: { summary: 'Lists notes' } } },
    });
    expect((await runCommand(folder, ['openapi'])).stdout).toBe('openapi.json: unchanged\n');
  });
}

const application = { 'app.js': flavors.ambit };

/** Runs the command beside a file that it has written before, changed. */
async function runBeside(change: (document: string) => string, ...args: string[]) {
  written ??= runShared(first, ['openapi']);
  await written;
  const before = change(readFileSync(join(first, 'openapi.json'), 'utf8'));
  const folder = makeFolder({ ...application, 'openapi.json': before });
  const outcome = await runShared(folder, ['openapi', ...args]);
  return { ...outcome, before, after: readFileSync(join(folder, 'openapi.json'), 'utf8') };
}

const first = makeFolder(application);
let written: Promise<unknown> | undefined;

test('- writes it to standard output', async () => {
  const { stdout } = await runShared(makeFolder(application), ['openapi', '-o', '-']);
  expect(JSON.parse(stdout).info.title).toBe('Notes');
});

test('--check passes if the file has the same content in another format', async () => {
  const { before, after, ...outcome } = await runBeside(
    (text) => JSON.stringify(JSON.parse(text)),
    '--check',
  );
  expect(outcome).toEqual({ code: 0, stdout: 'openapi.json: current\n', stderr: '' });
  expect(after).toBe(before);
});

test('--check fails with the first difference when the file is stale', async () => {
  const change = (text: string) => text.replace('Lists notes', 'Notes');
  const { code, stdout, stderr } = await runBeside(change, '--check');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    'ambit: openapi.json: the document is stale: paths./notes.get.summary is "Notes" in the file and "Lists notes" in the application. Run `ambit openapi`, and commit the file.\n',
  );
});

test('--check fails if the file is missing or is not a document', async () => {
  const missing = await runShared(makeFolder(application), ['openapi', '--check', '-o', 'no.json']);
  expect(missing.stderr).toBe(
    'ambit: no.json: the document is stale: there is no such file. Run `ambit openapi -o no.json`, and commit the file.\n',
  );
  const bad = await runShared(makeFolder({ ...application, 'bad.json': '{' }), [
    'openapi',
    '--check',
    '-o',
    'bad.json',
  ]);
  expect(bad.stderr).toMatch(/^ambit: bad\.json: the document is stale: it cannot be read: .*\n$/);
  expect([missing.code, bad.code]).toEqual([1, 1]);
});

test('--json prints the result', async () => {
  const stale = await runBeside(() => '{}', '--check', '--json');
  expect(JSON.parse(stale.stdout)).toEqual({
    file: 'openapi.json',
    status: 'stale',
    difference: 'openapi is missing in the file',
  });
  const changed = await runBeside(() => '{}', '--json');
  expect(JSON.parse(changed.stdout)).toEqual({ file: 'openapi.json', status: 'written' });
});

test('a file with the extension .yaml is YAML', async () => {
  const folder = makeFolder(application);
  await runShared(folder, ['openapi', '-o', 'api.yaml']);
  const text = readFileSync(join(folder, 'api.yaml'), 'utf8');
  expect(text).toMatch(/^openapi: /);
  expect(parse(text).info.title).toBe('Notes');
  expect((await runCommand(folder, ['openapi', '-o', 'api.yaml', '--check'])).code).toBe(0);
});

test('a schema that cannot be described is reported with its route', async () => {
  const broken = makeFolder({
    'app.js':
      "import { ambit } from 'ambit';\nconst app = ambit();\nconst any = { '~standard': { version: 1, vendor: 'own', validate: (value) => ({ value }) } };\napp.post('/x', { schema: { body: any } }, () => '');\nexport default app;",
  });
  const { code, stderr } = await runShared(broken, ['openapi']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^ambit: app\.js:4: the application cannot be described: .*own.*POST \/x.*\n$/);
});
