// A process in which `eval` and `new Function` are forbidden, and which has the artifact of its application.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const program = fileURLToPath(new URL('fixtures/compiled-program.mjs', import.meta.url));

function run(...args: string[]): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout;
}

test('an application with its artifact boots, validates and serializes where no code may be generated', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-compiled-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'compiled.mjs');
  run(program, 'build', file);
  const { answers, loaded } = JSON.parse(
    run('--disallow-code-generation-from-strings', program, 'run', file),
  );

  const user = { name: 'ada', born: '1815-12-10', friends: [{ name: 'bo' }] };
  expect(answers).toEqual([
    [200, { id: 7, page: 1, count: 3, user, at: '1970-01-01T00:00:00.000Z' }],
    [400, expect.objectContaining({ message: 'querystring/page should be integer' })],
    [
      400,
      expect.objectContaining({ message: 'body/friends/0/name should NOT have fewer than 2 characters' }),
    ],
    [200, { title: 'Sea', picture: 'bytes', more: 2 }],
    [
      400,
      expect.objectContaining({
        message: 'body/picture should be a file of type image/*, but is text/html',
      }),
    ],
  ]);
  // Neither engine: only what the compiled code calls.
  expect(loaded).toEqual([
    'node_modules/ajv-formats/dist/formats.js',
    'node_modules/ajv/dist/runtime/equal.js',
    'node_modules/ajv/dist/runtime/ucs2length.js',
    'packages/json-schema/dist/bundle/index.cjs',
    'packages/json-schema/dist/index.cjs',
    'packages/json-serializer/dist/bundle/load.cjs',
    'packages/json-serializer/dist/bundle/shared/read-shape.cjs',
    'packages/json-serializer/dist/load.cjs',
  ]);
});

for (const compile of ['boot', 'first-use', 'background']) {
  for (const [part, schema] of [
    ['the body of POST /notes', { body: { type: 'object' } }],
    ['the response 200 of POST /notes', { response: { 200: { type: 'object' } } }],
  ] as const) {
    test(`without its artifact, compile: '${compile}', ${part} fails the boot with what to do`, () => {
      const source = `import { ambit } from 'ambit';
        const app = ambit({ compile: '${compile}' });
        app.post('/notes', { schema: ${JSON.stringify(schema)} }, () => ({}));
        await app.ready().catch(({ code, message }) => console.log(JSON.stringify({ code, message })));`;
      const told = run('--disallow-code-generation-from-strings', '--input-type=module', '--eval', source);
      expect(JSON.parse(told)).toEqual({
        code: 'AMBIT_ERR_CODE_GENERATION_FORBIDDEN',
        message: `${part} must be compiled, but this process forbids code generation from strings; run compileSchemas(app) or \`ambit compile\` in the build, and pass the module as the option \`compiled\``,
      });
    });
  }
}
