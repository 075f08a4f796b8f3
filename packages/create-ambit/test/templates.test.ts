/** Tests the templates in the package: both languages, the versions of their dependencies, and what each runtime needs. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ambit } from 'ambit';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const templates = join(root, 'packages/create-ambit/dist/templates');

function readJson(path: string) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function readSources(template: string, language: string) {
  const folder = join(templates, template, language);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.[jt]s$/.test(path))
    .map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const);
}

const everyTemplate = [
  'minimal',
  'service',
  'minimal-bun',
  'service-bun',
  'minimal-deno',
  'service-deno',
  'minimal-cloudflare',
  'service-cloudflare',
];

test.each(everyTemplate)('%s installs the versions that the repository is tested with', (template) => {
  const { dependencies, devDependencies } = readJson(join(templates, template, 'typescript/package.json'));
  const tested = {
    ...readJson(join(root, 'packages/ambit/package.json')).dependencies,
    ...readJson(join(root, 'interop/package.json')).dependencies,
    ...readJson(join(root, 'package.json')).devDependencies,
  };
  // Both are released together.
  tested['@types/bun'] = tested.bun;
  const { version } = readJson(join(root, 'packages/ambit/package.json'));
  const { '@types/node': _, ...others } = { ...dependencies, ...devDependencies };
  for (const [name, range] of Object.entries(others))
    expect([name, String(range).replace('^', '')]).toEqual([
      name,
      (tested[name] ?? version).replace('^', ''),
    ]);
});

test.each(['minimal', 'service'])(
  '%s for Bun has the compiler options of Node, with the types of Bun',
  (template) => {
    const [onBun, onNode] = [`${template}-bun`, template].map((name) =>
      readJson(join(templates, name, 'typescript/tsconfig.json')),
    );
    expect(onBun.compilerOptions).toEqual({ ...onNode.compilerOptions, types: ['bun'] });
  },
);

test.each(everyTemplate)('%s has no casts, and suppresses no errors', (template) => {
  for (const [path, source] of readSources(template, 'typescript'))
    expect(source, path).not.toMatch(
      / as [A-Z{]| as (unknown|never|any)\b|: any\b|<any>|@ts-|biome-ignore|\w!\./,
    );
});

test.each(everyTemplate)('%s in JavaScript has the same files without types', (template) => {
  const typeScript = readSources(template, 'typescript')
    .map(([path]) => path.replace(/\.ts$/, '.js'))
    .filter((path) => !path.endsWith('.d.js'));
  const javaScript = readSources(template, 'javascript');
  expect(javaScript.map(([path]) => path).sort()).toEqual(typeScript.sort());
  for (const [path, source] of javaScript)
    expect(source, path).not.toMatch(/import type|interface |\.ts'|: string\b|\/\*\*[^\n]*\*\/\n\n/);
  const manifest = readJson(join(templates, template, 'javascript/package.json'));
  expect(JSON.stringify(manifest)).not.toMatch(/typescript|@types|tsc|\.ts\b/);
  expect(readFileSync(join(templates, template, 'javascript/README.md'), 'utf8')).not.toMatch(
    /TypeScript|\.ts\b/,
  );
});

/** A file of JSON with comments on lines of their own. */
function readJsonWithComments(path: string) {
  return JSON.parse(readFileSync(path, 'utf8').replace(/^ *\/\/.*$/gm, ''));
}

test.each(['minimal', 'service'])(
  '%s for workers is built again after a change of any source',
  (template) => {
    const folder = join(templates, `${template}-cloudflare/typescript`);
    const { main, build } = readJsonWithComments(join(folder, 'wrangler.jsonc'));
    expect(build.watch_dir).toBe(dirname(main));
    const outside = readSources(`${template}-cloudflare`, 'typescript').filter(
      ([path]) => !path.startsWith(`${build.watch_dir}/`) && !path.startsWith('test/'),
    );
    expect(outside.map(([path]) => path)).toEqual(['compiled-schemas.d.ts']);
    // A build that wrote into the folder would start itself again.
    const { compile } = readJson(join(folder, 'package.json')).scripts;
    expect(compile).toMatch(/ --output compiled-schemas\.js$/);
  },
);

test.each(['minimal', 'service'])('%s for workers has the bundle whose size the guide names', (template) => {
  const folder = join(templates, `${template}-cloudflare/typescript`);
  expect(readJsonWithComments(join(folder, 'wrangler.jsonc')).keep_names).toBe(false);
  const { deploy, build, dev } = readJson(join(folder, 'package.json')).scripts;
  for (const script of [deploy, build]) expect(script).toContain('wrangler deploy');
  for (const script of [deploy, build]) expect(script).toContain(' --minify');
  // The stacks in its log have the names of functions.
  expect(dev).not.toContain('--minify');
});

vi.mock('pino', () => vi.importActual('pino/browser.js'));
afterEach(() => vi.restoreAllMocks());

/** The logger of a template for workers, and what it has printed. */
async function loadLogger(template: string) {
  const printed: unknown[][] = [];
  vi.spyOn(console, 'log').mockImplementation((...values) => printed.push(values));
  const path = join(root, `packages/create-ambit/runtimes/cloudflare/${template}/src/logger.ts`);
  const { logger } = await import(/* @vite-ignore */ path);
  return { logger, printed };
}

test.each(['minimal', 'service'])('%s for workers uses its logger', (template) => {
  const sources = new Map(readSources(`${template}-cloudflare`, 'javascript'));
  expect(sources.get('src/worker.js')).toMatch(/makeApp\(.*\bloggerInstance: logger\b.*\)/);
});

test.each(['minimal', 'service'])(
  '%s for workers prints each log entry as a line of JSON',
  async (template) => {
    const { logger, printed } = await loadLogger(template);
    const app = ambit({ loggerInstance: logger });
    app.get('/boom', () => {
      throw new Error('boom');
    });
    expect((await app.fetch(new Request('http://localhost/boom'))).status).toBe(500);
    const lines = printed.map(([line]) => String(line));
    expect(lines.filter((line) => /\n|undefined/.test(line))).toEqual([]);
    const entries = lines.map((line) => JSON.parse(line));
    const failures = entries.filter(({ level }) => level === 50);
    expect(failures).toMatchObject([
      { msg: 'boom', err: { stack: expect.stringContaining('templates.test.ts') } },
    ]);
    expect(entries[0]).toMatchObject({ req: { method: 'GET', url: '/boom' } });
  },
);

test.each(['minimal', 'service'])('%s for workers also logs what JSON cannot contain', async (template) => {
  const { logger, printed } = await loadLogger(template);
  logger.info({ total: 1n }, 'counted');
  expect(printed).toMatchObject([[{ total: 1n, msg: 'counted' }]]);
});

/** Runs the program that serves a template, with an application that returns its address instead of listening. */
function serve(template: string, file: string, env: NodeJS.ProcessEnv) {
  const folder = mkdtempSync(join(tmpdir(), 'create-ambit-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(templates, template, 'javascript', file), join(folder, 'server.js'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const ambit = join(folder, 'node_modules/ambit');
  mkdirSync(ambit, { recursive: true });
  writeFileSync(join(ambit, 'index.mjs'), 'export const closeOnSignals = () => {};');
  writeFileSync(join(ambit, 'package.json'), '{ "main": "index.mjs" }');
  writeFileSync(join(folder, 'app.js'), 'export default () => ({ listen: (at) => JSON.stringify(at) });');
  return spawnSync(process.execPath, [join(folder, 'server.js')], { env, encoding: 'utf8' });
}

const servers = [
  ['minimal-bun', 'server.js'],
  ['minimal-deno', 'server.js'],
  ['service-bun', 'src/server.js'],
  ['service-deno', 'src/server.js'],
] as const;

for (const [template, file] of servers) {
  test.each([
    [{}, '{"port":3000,"host":"localhost"}'],
    [{ PORT: '', HOST: '' }, '{"port":3000,"host":"localhost"}'],
    [{ PORT: '0', HOST: '0.0.0.0' }, '{"port":0,"host":"0.0.0.0"}'],
    [{ PORT: '65535' }, '{"port":65535,"host":"localhost"}'],
  ])(`${template} with %j listens on %s`, (env, address) => {
    expect(serve(template, file, env).stdout).toBe(`Serving ${address}\n`);
  });

  test.each(['abc', '-1', '65536', '1.5'])(`${template} refuses PORT=%s`, (port) => {
    const { status, stderr } = serve(template, file, { PORT: port });
    expect(status).toBe(1);
    expect(stderr).toContain(`PORT must be a number from 0 to 65535, not "${port}"`);
  });
}

test.each(['minimal', 'service'])('%s for Deno accepts async functions without await', (template) => {
  const { lint } = readJsonWithComments(join(templates, `${template}-deno/typescript/deno.json`));
  expect(lint.rules.exclude).toContain('require-await');
});

test.each(['minimal', 'service'])(
  '%s for Deno may read the name of the host, and nothing else of the system',
  (template) => {
    const { tasks } = readJsonWithComments(join(templates, `${template}-deno/typescript/deno.json`));
    for (const name of ['dev', 'start', 'test']) expect(tasks[name]).toMatch(/ --allow-sys=hostname( |$)/);
  },
);

test('minimal for Deno says which permission large uploads need', () => {
  const settings = readFileSync(join(templates, 'minimal-deno/typescript/deno.json'), 'utf8');
  expect(settings).toMatch(/\/\/ .*--allow-write/);
});
