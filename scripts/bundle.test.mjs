// Tests the published code: stack traces are readable, and applications can be bundled: bundlers leave out unused code of our
// packages, and a bundle runs in a folder without installed packages.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { expect, onTestFinished, test } from 'vitest';
import { checkCopies } from './bundle.mjs';
import { root } from './steps.mjs';

function writeProgram(folder, code) {
  mkdirSync(folder, { recursive: true });
  const own = realpathSync(mkdtempSync(join(folder, 'bundle-')));
  onTestFinished(() => rmSync(own, { recursive: true }));
  writeFileSync(join(own, 'program.mjs'), code);
  return join(own, 'program.mjs');
}

function run(...args) {
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: tmpdir(), encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

// The stack of an error of boot shows the program, and only counts the frames of the framework.
const failingProgram = `import { ambit, isStopping } from '${new URL('../packages/ambit/dist/index.cjs', import.meta.url)}';
const run = (call) => { try { call(); } catch (error) { return error; } };
const { where } = run(() => ambit({ bodylimit: 1 }));
const { stack } = run(() => isStopping({}));
console.log(JSON.stringify({ stack, place: where.file }));`;

test.each([
  [['--enable-source-maps'], 'src/context/definitions.ts', /^src\//],
  [[], 'dist/bundle/index.cjs', /^dist\/bundle\/index\.cjs$/],
])('with the flags %j, the frames of a stack trace are lines of %s', (flags, first, all) => {
  const program = writeProgram(tmpdir(), failingProgram);
  const { stack, place } = run(...flags, program);
  const frames = [...stack.matchAll(/packages\/ambit\/([^\s:]+):(\d+):\d+/g)];
  const [, file, line] = frames[0];
  expect(file).toBe(first);
  const lines = readFileSync(`${root}packages/ambit/${file}`, 'utf8').split('\n');
  expect(lines[line - 1]).toContain('TypeError(');
  expect(frames.filter(([, each]) => !all.test(each))).toEqual([]);
  expect(place).toBe(`${program}:3:29`);
});

test.each(['ambit/dist/bundle/index.cjs', 'json-serializer/dist/bundle/shared/read-shape.cjs'])(
  'in %s, functions that the bundler renamed because of a duplicate name keep their original name',
  (file) => {
    const code = readFileSync(`${root}packages/${file}`, 'utf8');
    const renamed = [...code.matchAll(/^(?:async )?function\*? ((.+)\$\d+)\(/gm)];
    expect(renamed).not.toEqual([]);
    expect(renamed.filter(([, now, name]) => !code.includes(`__name(${now}, "${name}")`))).toEqual([]);
  },
);

test('the build fails if two modules contain the same source, unless it has no state', () => {
  const copies = (source) =>
    checkCopies(['index.js', 'b.js'].map((fileName) => ({ fileName, moduleIds: [join(root, source)] })));
  expect(() => copies('packages/a/src/a.ts')).toThrow(
    'packages/a/src/a.ts is in two modules: index.js and b.js',
  );
  expect(() => copies('packages/ambit/src/shared/typed-calls.ts')).not.toThrow();
});

async function bundle(code, platform, output) {
  // In a folder of the repository, so that the bundler finds the packages.
  const build = await rolldown({
    input: writeProgram(join(root, '.cache'), code),
    platform,
    logLevel: 'silent',
  });
  const { output: chunks } = await build.generate({ codeSplitting: false, ...output });
  await build.close();
  expect(chunks).toHaveLength(1);
  return chunks[0].code;
}

const packedSize = async (name, entryPoint, platform) =>
  gzipSync(await bundle(`export { ${name} } from '${entryPoint}';`, platform, { minify: true }), { level: 9 })
    .length;

test('the client has less than 1,500 bytes, minified and compressed', async () => {
  expect(await packedSize('client', 'ambit/client', 'browser')).toBeLessThan(1500);
});

test('a bundle leaves out the parts of the serializer that it does not use', async () => {
  const compiler = await packedSize('compile', '@ambit/json-serializer', 'node');
  const runtime = await packedSize('load', '@ambit/json-serializer/runtime', 'node');
  expect(await packedSize('SerializationError', '@ambit/json-serializer', 'node')).toBeLessThan(runtime / 2);
  expect(runtime).toBeLessThan(0.75 * compiler);
});

const application = (entryPoint, factory) => `
  import { ${factory} } from '${entryPoint}';
  const app = ${factory}({ logger: { level: 'info', stream: { write() {} } } });
  const title = { type: 'string' };
  const due = { type: 'string', format: 'date' };
  const schema = {
    body: { type: 'object', required: ['title'], properties: { title, due } },
    response: { 200: { type: 'object', properties: { title } } },
  };
  app.post('/notes', { schema }, async ({ body }) => ({ ...body, secret: true }));
  const origin = await app.listen({ port: 0 });
  const headers = { 'content-type': 'application/json' };
  const texts = [];
  for (const body of ['{"title":"a"}', '{"due":"b"}', '{'])
    texts.push(await (await fetch(origin + '/notes', { method: 'POST', headers, body })).text());
  texts.push((await app.inject('/nowhere')).body);
  await app.close();
  console.log(JSON.stringify(texts));`;

test.each([
  ['ambit', 'ambit', 'should'],
  ['@ambit/fastify', 'fastify', 'must'],
])('an application of %s in one file runs without installed packages', async (entryPoint, factory, verb) => {
  const code = await bundle(application(entryPoint, factory), 'node', { format: 'esm' });
  const [created, invalid, broken, missing] = run(writeProgram(tmpdir(), code));
  expect(created).toBe('{"title":"a"}');
  expect(JSON.parse(invalid).message).toContain(`body ${verb} have required property 'title'`);
  expect(JSON.parse(broken).statusCode).toBe(400);
  expect(JSON.parse(missing).message).toBe('Route GET:/nowhere not found');
});
