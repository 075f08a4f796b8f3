// Tests bundled applications: bundlers leave out unused code of our packages, and the bundle runs in a folder without
// installed packages.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { expect, onTestFinished, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Writes a program in a folder of the repository, so that the bundler finds the packages. */
function writeProgram(code) {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache/application-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'program.mjs'), code);
  return join(folder, 'program.mjs');
}

async function bundle(code, platform, output) {
  const build = await rolldown({ input: writeProgram(code), platform, logLevel: 'silent' });
  const { output: chunks } = await build.generate({ codeSplitting: false, ...output });
  await build.close();
  expect(chunks).toHaveLength(1);
  return chunks[0].code;
}

const gzippedSize = (code) => gzipSync(code, { level: 9 }).length;

test('the client has less than 1,500 bytes, minified and compressed', async () => {
  const code = await bundle("export { client } from 'ambit/client';", 'browser', { minify: true });
  expect(gzippedSize(code)).toBeLessThan(1500);
});

test('a bundle leaves out the parts of the serializer that it does not use', async () => {
  const sizes = [];
  for (const [name, entryPoint] of [
    ['SerializationError', '@ambit/json-serializer'],
    ['load', '@ambit/json-serializer/runtime'],
    ['compile', '@ambit/json-serializer'],
  ])
    sizes.push(
      gzippedSize(await bundle(`export { ${name} } from '${entryPoint}';`, 'node', { minify: true })),
    );
  const [error, runtime, compiler] = sizes;
  expect(error).toBeLessThan(runtime / 2);
  expect(runtime).toBeLessThan(0.75 * compiler);
});

const application = (entryPoint, factory) => `
  import { ${factory} } from '${entryPoint}';
  const app = ${factory}({ logger: { level: 'info', stream: { write() {} } } });
  app.post('/notes', {
    schema: {
      body: { type: 'object', required: ['title'], properties: { title: { type: 'string' }, due: { type: 'string', format: 'date' } } },
      response: { 200: { type: 'object', properties: { title: { type: 'string' } } } },
    },
  }, async ({ body }) => ({ ...body, secret: true }));
  const origin = await app.listen({ port: 0 });
  const send = (body) => fetch(origin + '/notes', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const texts = [];
  for (const body of ['{"title":"a"}', '{"due":"b"}', '{']) texts.push(await (await send(body)).text());
  texts.push((await app.inject('/nowhere')).body);
  await app.close();
  console.log(JSON.stringify(texts));`;

/** @returns The JSON that the program prints, when it runs in a folder without packages. */
function runAlone(file, code) {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-bundled-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, file), code);
  const { stdout, stderr } = spawnSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

for (const [entryPoint, factory, verb] of [
  ['ambit', 'ambit', 'should'],
  ['@ambit/fastify', 'fastify', 'must'],
]) {
  test(`an application of ${entryPoint} in one file runs without installed packages`, async () => {
    const code = await bundle(application(entryPoint, factory), 'node', { format: 'esm' });
    const [created, invalid, broken, missing] = runAlone('server.mjs', code);
    expect(created).toBe('{"title":"a"}');
    expect(JSON.parse(invalid).message).toContain(`body ${verb} have required property 'title'`);
    expect(JSON.parse(broken).statusCode).toBe(400);
    expect(JSON.parse(missing).message).toBe('Route GET:/nowhere not found');
  });
}
