import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder, runCommand, runShared } from '../../test/support/command.ts';

const declare = `
app.post('/notes', { schema: { body: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } } } }, (request) => request.body);
export default app;
`;
const flavors = {
  ambit: (options: string) => `import { ambit } from 'ambit';\nconst app = ambit(${options});${declare}`,
  'the facade': (options: string) =>
    `import fastify from '@ambit/fastify';\nconst app = fastify(${options});${declare}`,
};
const importCompiled = "import compiled from './compiled-schemas.js';\n";

for (const [flavor, source] of Object.entries(flavors)) {
  test(`${flavor}: it writes a module with which an application needs no code generation`, async () => {
    const folder = makeFolder({ 'src/app.js': source('') });
    const { code, stdout, stderr } = await runShared(folder, ['compile']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^src\/compiled-schemas\.js: 1 routes?, [\d.]+ KiB, \d+ ms\n$/);
    expect(stderr).toBe(
      '[1/3] load the application\n[2/3] boot src/app.js and compile its schemas\n[3/3] write src/compiled-schemas.js\n',
    );
    const text = readFileSync(join(folder, 'src/compiled-schemas.js'), 'utf8');
    const compiled = makeFolder({
      'app.js': importCompiled + source('{ compiled }'),
      'compiled-schemas.js': text,
    });
    const env = { NODE_OPTIONS: '--disallow-code-generation-from-strings' };
    const { stdout: reply } = await runCommand(compiled, ['request', '/notes', '-d', '{}'], { env });
    expect(JSON.parse(reply)).toMatchObject({ statusCode: 400, code: 'FST_ERR_VALIDATION' });
  });
}

test('an application that imports a stale module gets a new one', async () => {
  const folder = makeFolder({ 'app.js': flavors.ambit('') });
  await runShared(folder, ['compile']);
  const text = readFileSync(join(folder, 'compiled-schemas.js'), 'utf8');
  const changed = (importCompiled + flavors.ambit('{ compiled }')).replace(
    "type: 'string'",
    "type: 'integer'",
  );
  const stale = makeFolder({ 'app.js': changed, 'compiled-schemas.js': text });
  const failed = await runShared(stale, ['routes']);
  expect(failed.stderr).toMatch(/^Ambit cannot start: .*POST \/notes/);
  expect((await runCommand(stale, ['compile', '--json'])).code).toBe(0);
  expect((await runCommand(stale, ['routes'])).code).toBe(0);
});

test('--output and --json: the file, the routes, the size and the time', async () => {
  const folder = makeFolder({ 'app.js': flavors.ambit('') });
  const { stdout } = await runShared(folder, ['compile', '-o', 'out.mjs', '--json']);
  const bytes = readFileSync(join(folder, 'out.mjs')).length;
  expect(JSON.parse(stdout)).toEqual({ file: 'out.mjs', routes: 1, bytes, ms: expect.any(Number) });
});
