/** What other tools make of the documents of `@ambit/openapi`: validators, a linter, and a generator of types. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type OpenAPIVersion, toOpenAPI } from '@ambit/openapi';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import openapiTS, { astToString } from 'openapi-typescript';
import { describe, expect, onTestFinished, test } from 'vitest';
import makeNotes from '../../examples/runtimes/app.mjs';
import { corpus } from './support/corpus/corpus.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = `${root}.cache/openapi-types`;

async function problemsOf(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`);
}

describe.each(Object.entries(corpus))('the document of the application "%s"', (_name, make) => {
  test.each(['3.1', '3.0', '3.2'] satisfies OpenAPIVersion[])(
    'is valid in %s, and the linter finds no error',
    async (openapi) => {
      const app = make();
      const document = await toOpenAPI(app, { openapi });
      await app.close();
      const { valid, errors } = await new Validator().validate(structuredClone(document) as never);
      expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
      expect(await problemsOf(JSON.stringify(document))).toEqual([]);
    },
  );
});

/** Starts an example, and asks it for its document when it says where it is. */
async function documentOfExample(name: string): Promise<string> {
  const server = `${root}examples/${name}/server.mjs`;
  const child = spawn(process.execPath, [server], { env: { ...process.env, PORT: '0' } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for await (const chunk of child.stdout) {
    output += chunk;
    const [origin] = /http:\/\/[\w.:[\]-]+:\d+/.exec(output) ?? [];
    if (origin !== undefined) return (await fetch(`${origin}/openapi.json`)).text();
  }
  throw new Error(`the example ended\n${output}`);
}

/** `metrics` has no document; `fleet` needs its databases, so its own suite asks for its document; the others share one application. */
const undocumented = ['metrics', 'fleet', 'bun', 'cloudflare', 'deno', 'runtimes'];
const documented = readdirSync(`${root}examples`).filter((name) => !undocumented.includes(name));

async function expectValid(source: string): Promise<void> {
  expect((await new Validator().validate(JSON.parse(source))).valid).toBe(true);
  expect(await problemsOf(source)).toEqual([]);
}

test.each(documented)(
  'the document of the example "%s" is valid, and the linter finds no error',
  async (name) => expectValid(await documentOfExample(name)),
);

test('the document of the examples for runtimes is valid, and the linter finds no error', async () => {
  const app = makeNotes({ query: async () => [] });
  const document = await toOpenAPI(app);
  await app.close();
  await expectValid(JSON.stringify(document));
});

/** Compiles files beside one another with the project's own compiler; returns what it says. */
function compile(files: Record<string, string>): string {
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(`${scratch}/${name}`, text);
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: false,
    noEmit: true,
    composite: false,
    target: 'es2023',
    lib: ['es2023', 'dom'],
    module: 'nodenext',
    moduleResolution: 'nodenext',
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ['node'],
  };
  writeFileSync(`${scratch}/tsconfig.json`, JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const { stdout } = spawnSync(
    process.execPath,
    [`${root}node_modules/typescript/bin/tsc`, '-p', scratch, '--pretty', 'false'],
    { encoding: 'utf8' },
  );
  return stdout;
}

async function typesOf(name: string): Promise<string> {
  const app = corpus[name]!();
  const document = await toOpenAPI(app);
  await app.close();
  return astToString(await openapiTS(structuredClone(document) as never));
}

test('types that are generated from the documents compile', async () => {
  const files = await Promise.all(
    Object.keys(corpus).map(async (name) => [`${name}.ts`, await typesOf(name)] as const),
  );
  expect(compile(Object.fromEntries(files))).toBe('');
});

const agreement = `
import type { client } from 'ambit/client';
import type { paths } from './types.ts';
import type { typedApp } from '${root}ecosystem/test/support/corpus/typed-app.ts';

type Api = ReturnType<typeof client<ReturnType<typeof typedApp>>>;
declare const api: Api;

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
declare function agree<A, B>(...proof: Same<A, B> extends true ? [] : [never, A, B]): void;

type Content<Of> = Of extends { content: { 'application/json': infer Body } } ? Body : never;
type ReplyOf<Path extends keyof paths, Method extends keyof paths[Path], Status> = paths[Path][Method] extends { responses: infer All } ? Content<All[Status & keyof All]> : never;

async function compare(): Promise<void> {
  const one = await api.get('/users/:id', { params: { id: 1 } });
  if (one.status === 200) agree<typeof one.body, ReplyOf<'/users/{id}', 'get', 200>>();
  if (one.status === 404) agree<typeof one.body, ReplyOf<'/users/{id}', 'get', 404>>();
  const all = await api.get('/users', { query: { page: 1 } });
  if (all.status === 200) agree<typeof all.body, ReplyOf<'/users', 'get', 200>>();
  const made = await api.post('/users', { body: { name: 'ada' } });
  if (made.status === 201) agree<typeof made.body, ReplyOf<'/users', 'post', 201>>();
  // What the document takes for a query and a body, the client takes too.
  const query: paths['/users']['get']['parameters']['query'] = { page: 1, tags: ['a'] };
  await api.get('/users', { query });
  const body: Content<paths['/users']['post']['requestBody']> = { name: 'ada', age: 1, pair: ['a', 1] };
  await api.post('/users', { body });
  // @ts-expect-error: the document says that it is required.
  const missing: paths['/users']['get']['parameters']['query'] = {};
  // @ts-expect-error: and so does the client.
  await api.get('/users', { query: {} });
}
void compare;
`;

test('the types of the document agree with those of the typed client', async () => {
  const types = await typesOf('typedApp');
  expect(compile({ 'types.ts': types, 'agreement.ts': agreement })).toBe('');
});
