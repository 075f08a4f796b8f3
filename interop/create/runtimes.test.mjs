// Applications for Bun, Deno and workers: created, installed, checked, tested and served over a socket by their runtime.
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { casesOfLevel } from '../test/support/level.mjs';
import { run } from '../test/support/run.mjs';
import { startServer } from '../test/support/start-server.mjs';
import { create, environmentOf, makeFolder } from './support/application.mjs';

const require = createRequire(import.meta.url);
const binaries = {
  bun: require.resolve('bun/bin/bun.exe'),
  deno: require.resolve('@deno/linux-x64-glibc/deno'),
};

/** An environment that has the programs `bun` and `deno`, with caches of their own. */
function prepare(folder) {
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  for (const [name, binary] of Object.entries(binaries)) {
    chmodSync(binary, 0o755);
    symlinkSync(binary, join(programs, name));
  }
  const env = environmentOf('24');
  return {
    ...env,
    PATH: `${programs}:${env.PATH}`,
    // Packages of this repository have the same version in each run.
    BUN_INSTALL_CACHE_DIR: join(folder, 'bun'),
    DENO_DIR: join(folder, 'deno'),
    DENO_NO_UPDATE_CHECK: '1',
    NPM_CONFIG_REGISTRY: env.npm_config_registry,
    WRANGLER_SEND_METRICS: 'false',
    NO_COLOR: '1',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    DATABASE_FILE: ':memory:',
    PORT: '0',
  };
}

const workerd = ['--', '--ip', '127.0.0.1', '--port', '0', '--show-interactive-dev-session=false'];
const served = /(http:\/\/[\w.:[\]]+)/;

const headers = { connection: 'close' };
const readJson = async (...args) => (await fetch(...args)).json();
const post = (url, value, more) =>
  readJson(url, {
    method: 'POST',
    headers: { ...headers, ...more, 'content-type': 'application/json' },
    body: JSON.stringify(value),
  });

/** What each template does over a socket, with the permissions of its script. */
const checks = {
  async minimal(origin) {
    expect(await readJson(`${origin}/hello/ada?times=2`, { headers })).toEqual({
      greeting: 'hello hello ada',
    });
    expect((await fetch(`${origin}/hello/ada?times=9`, { headers })).status).toBe(400);
  },
  async service(origin) {
    expect((await readJson(`${origin}/readyz`, { headers })).status).toBe('ready');
    const credentials = { name: 'ada', password: 'correct horse' };
    await post(`${origin}/users`, credentials);
    const { token } = await post(`${origin}/tokens`, credentials);
    const authorization = `Bearer ${token}`;
    const { id } = await post(`${origin}/notes`, { text: 'with a file' }, { authorization });
    // It does not fit into the memory of a request.
    const body = new FormData();
    body.append('file', new Blob(['x'.repeat(2_000_000)]), 'large.txt');
    const attachment = `${origin}/notes/${id}/attachment`;
    const written = await fetch(attachment, { method: 'PUT', headers: { ...headers, authorization }, body });
    expect(written.status).toBe(204);
    const read = await fetch(attachment, { headers: { ...headers, authorization } });
    expect((await read.text()).length).toBe(2_000_000);
    await checkEvents(origin, authorization);
  },
};

/** A client of the events gets the notes that are written while it reads. */
async function checkEvents(origin, authorization) {
  const leave = new AbortController();
  const options = { headers: { ...headers, authorization }, signal: leave.signal };
  const events = (await fetch(`${origin}/notes/events`, options)).body.pipeThrough(new TextDecoderStream());
  await post(`${origin}/notes`, { text: 'new' }, { authorization });
  let received = '';
  for await (const text of events) {
    received += text;
    if (received.includes('data:')) break;
  }
  expect(received).toMatch(/event: created\nid: .+\ndata: \{.*"text":"new"/);
  leave.abort();
}

const typeScript = [];
const javaScript = ['--javascript'];

/** How scripts run on each runtime, and what a run of the tests prints that passes. */
const runners = {
  bun: { script: ['bun', 'run'], passed: { minimal: /\n 2 pass\n 0 fail/, service: / 47 pass\n 0 fail/ } },
  deno: {
    script: ['deno', 'task', '--quiet'],
    passed: { minimal: /2 passed \| 0 failed/, service: /47 passed \| 0 failed/ },
  },
  cloudflare: {
    script: ['npm', 'run', '--silent'],
    passed: { minimal: /pass 2\n.*fail 0\n/s, service: /pass 34\n.*fail 0\n/s },
  },
};

/** Something that only this runtime has. */
const globals = { bun: 'Bun.version', deno: 'Deno.version.deno', cloudflare: 'typeof caches.default' };

/** Each runtime is in CI once, and each template, and each language. Deno checks the types of the service for long. */
const inCi = [
  ['bun', 'service', javaScript],
  ['deno', 'minimal', typeScript],
  ['cloudflare', 'service', typeScript],
];
const applications = Object.keys(runners).flatMap((runtime) =>
  ['minimal', 'service'].flatMap((template) =>
    [typeScript, javaScript].map((flags) => ({
      runtime,
      template,
      flags,
      inCi: inCi.some((each) => each[0] === runtime && each[1] === template && each[2] === flags),
    })),
  ),
);

describe.each(casesOfLevel(applications))('$template for $runtime $flags', ({ runtime, template, flags }) => {
  const { script, passed } = runners[runtime];
  const { folder, remove } = makeFolder();
  const application = join(folder, 'notes');
  const isTypeScript = flags.length === 0;
  const serve = runtime === 'cloudflare' ? ['dev', ...workerd] : ['start'];
  let env;
  beforeAll(async () => {
    env = prepare(folder);
    const args = ['notes', '--template', template, '--runtime', runtime, '--git', ...flags];
    await create(folder, '24', ...args);
    await run(
      application,
      'sh',
      ['-c', { bun: 'bun install', deno: 'deno install' }[runtime] ?? 'npm install'],
      env,
    );
  });
  afterAll(remove);

  test('`lint` has no findings', async () => {
    await run(application, script[0], [...script.slice(1), 'lint'], env);
  });

  test.runIf(isTypeScript)('`typecheck` has no findings, also in what only its runtime has', async () => {
    const file = join(application, 'own-types.ts');
    writeFileSync(file, `export const version: string = ${globals[runtime]};\n`);
    await run(application, script[0], [...script.slice(1), 'typecheck'], env);
    rmSync(file);
  });

  test('passes its tests', async () => {
    const [program, ...args] = script;
    expect(await run(application, 'sh', ['-c', `${[program, ...args].join(' ')} test 2>&1`], env)).toMatch(
      passed[template],
    );
  });

  test.runIf(template === 'service' && runtime !== 'cloudflare')('openapi.json is current', async () => {
    const [program, ...args] = script;
    const printed = await run(application, program, [...args, 'openapi', '--check'], env);
    expect(printed).toBe('openapi.json: current\n');
  });

  test('is served over a socket, validates and stops', async () => {
    const { origin, stop } = await startServer(application, [...script, ...serve], env, served);
    await checks[template](origin);
    await stop();
  });
});

test.each(['cloudflare', 'workerd'])(
  '--runtime %s writes a worker with the name of the folder',
  async (runtime) => {
    const { folder, remove } = makeFolder();
    onTestFinished(remove);
    expect(await create(folder, '24', 'notes', '--javascript', '--runtime', runtime)).toBe(
      'Created notes: template minimal, JavaScript, for Cloudflare Workers, on workerd\n\nNext:\n  cd notes\n  npm install && npm run dev\n  open http://localhost:8787/hello/ada?times=2 in a browser\n',
    );
    const config = readFileSync(join(folder, 'notes/wrangler.jsonc'), 'utf8');
    expect(config).toContain('"name": "notes"');
    expect(config).toContain('"build": { "command": "npm run compile", "watch_dir": "src" }');
  },
);

test.each(['bun', 'deno'])('the linter has no findings in the Dockerfile for %s', async (runtime) => {
  const { folder, remove } = makeFolder();
  onTestFinished(remove);
  await create(folder, '24', 'notes', '--template', 'service', '--runtime', runtime);
  expect(validate(readFileSync(join(folder, 'notes/Dockerfile'), 'utf8'))).toEqual([]);
});

test('a worker is refused on Node 20 before a file is written', async () => {
  const { folder, remove } = makeFolder();
  onTestFinished(remove);
  await expect(create(folder, '20', 'notes', '--runtime', 'cloudflare')).rejects.toThrow(
    'the build of a worker needs Node 22.18 or newer',
  );
  expect(readdirSync(folder)).toEqual([]);
});
