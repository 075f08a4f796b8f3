// Applications for workers: what bundlers make of them, what they weigh, what importing them does, and what workerd serves.
import { on, once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { application, interop, nodeOf, run, runToEnd } from './support/run.mjs';
import { bundleWorker, startWorkerd } from './support/runtimes.mjs';

const programs = `${application}/workers`;
const config = { name: 'notes', main: 'worker.mjs', compatibility_date: '2026-10-01', keep_names: false };

/** How each bundler writes `worker.mjs` of a folder, minified. Each of them fails, or prints, when there is a warning. */
const bundlers = {
  esbuild: (folder) => bundleWorker(`${programs}/worker.mjs`, `${folder}/worker.mjs`, { minify: true }),
  Rolldown: async (folder) => {
    const warnings = [];
    const build = await rolldown({
      input: `${programs}/worker.mjs`,
      platform: 'node',
      resolve: { conditionNames: ['workerd', 'import', 'default'] },
      onLog: (level, { message }) => level === 'warn' && warnings.push(message),
    });
    await build.write({ file: `${folder}/worker.mjs`, format: 'esm', minify: true, codeSplitting: false });
    await build.close();
    expect(warnings).toEqual([]);
  },
  wrangler: async (folder) => {
    writeFileSync(`${programs}/wrangler.json`, JSON.stringify(config));
    const wrangler = `${interop}node_modules/wrangler/bin/wrangler.js`;
    const options = ['--dry-run', '--minify', '--outdir', folder, '--config', `${programs}/wrangler.json`];
    const env = { WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1', FORCE_COLOR: '0' };
    // Warnings go to stderr.
    const { all } = await runToEnd(application, nodeOf('24'), [wrangler, 'deploy', ...options], env);
    expect(all).toContain('--dry-run: exiting now.');
    expect(all).not.toMatch(/warning/i);
    copyFileSync(`${folder}/worker.js`, `${folder}/worker.mjs`);
  },
};

beforeAll(async () => {
  await run(application, nodeOf('24'), ['workers/compile.mjs']);
});

function makeFolder(name) {
  const folder = `${application}/on-workerd-${name}`;
  mkdirSync(folder, { recursive: true });
  return folder;
}

test.each(Object.keys(bundlers))(
  '%s bundles ten routes to 161 kB at most, and workerd serves them',
  async (name) => {
    const folder = makeFolder(name);
    await bundlers[name](folder);
    expect(gzipSync(readFileSync(`${folder}/worker.mjs`), { level: 9 }).length).toBeLessThanOrEqual(161_000);
    const server = await startWorkerd(folder);
    // The first requests come while the application boots.
    const replies = await Promise.all(['notes', 'lists'].map((path) => fetch(`${server.origin}/${path}`)));
    const bodies = await Promise.all(replies.map((reply) => reply.json()));
    expect(bodies).toEqual([[{ id: 1, title: 'notes' }], [{ id: 1, title: 'lists' }]]);
    const refused = await fetch(`${server.origin}/notes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"title":""}',
    });
    expect(refused.status).toBe(400);
    // As a browser: `fetch` cannot.
    const navigation = get(`${server.origin}/notes`, { headers: { 'sec-fetch-mode': 'navigate' } });
    expect((await once(navigation, 'response'))[0].statusCode).toBe(200);
    await server.stop();
  },
);

// The first dates that the guide names.
test.each([
  ['2026-08-04', []],
  ['2025-09-15', ['nodejs_compat']],
])('workerd serves it with the compatibility date %s and the flags %j', async (date, flags) => {
  const folder = makeFolder(`since-${date}`);
  await bundlers.esbuild(folder);
  const server = await startWorkerd(folder, flags, date);
  expect(await (await fetch(`${server.origin}/notes/7`)).json()).toEqual({ id: 7, title: 'notes' });
  await server.stop();
});

describe('a worker', () => {
  let server;
  beforeAll(async () => {
    const folder = makeFolder('after');
    await bundleWorker(`${programs}/after.mjs`, `${folder}/worker.mjs`);
    server = await startWorkerd(folder);
  });
  afterAll(() => server.stop());

  test('is not ended while hooks and handlers continue after the response', async () => {
    const headers = { 'x-name': 'ada' };
    for (const path of ['hook', 'handler'])
      expect(await (await fetch(`${server.origin}/${path}`, { headers })).text()).toBe('text');
    const readDone = async () => (await fetch(`${server.origin}/done`)).json();
    await expect.poll(readDone, { timeout: 5000 }).toEqual(['hook of ada', 'handler']);
  });

  test.each(['returned', 'sent'])('opens a WebSocket if a Response that has one is %s', async (path) => {
    const socket = new WebSocket(`${server.origin.replace('http', 'ws')}/${path}`);
    const messages = on(socket, 'message');
    await once(socket, 'open');
    socket.send('hello');
    expect(String((await messages.next()).value[0])).toBe('received hello');
    socket.close();
  });

  test('refuses the status 101 without a WebSocket', async () => {
    expect((await fetch(`${server.origin}/status`)).status).toBe(500);
  });

  test('sends the length of a stream, if the reply declares it', async () => {
    const response = await fetch(`${server.origin}/length`);
    expect([response.headers.get('content-length'), await response.text()]).toEqual(['10', 'firstafter']);
  });
});

test('a worker without the modules of Node does not start, and the error names one', async () => {
  const folder = makeFolder('without-node');
  await bundlers.esbuild(folder);
  await expect(startWorkerd(folder, ['no_nodejs_compat'])).rejects.toThrow(/No such module "node:\w+"/);
});

/** Modules of Node that do I/O, or make random numbers. */
const busyModules = [
  'crypto',
  'dns',
  'fs',
  'fs/promises',
  'http',
  'https',
  'net',
  'os',
  'timers',
  'timers/promises',
  'tls',
];

/** Has esbuild put watched functions in place of those of Node. Their classes, whose names begin with a capital, stay as they are. */
const watchedModules = {
  name: 'watched modules',
  setup({ onResolve, onLoad }) {
    const filter = new RegExp(`^(node:)?(${busyModules.join('|')})$`);
    onResolve({ filter }, ({ path, namespace }) =>
      namespace === 'watched' ? undefined : { path: path.replace('node:', ''), namespace: 'watched' },
    );
    onLoad({ filter: /.*/, namespace: 'watched' }, async ({ path }) => {
      const names = Object.keys(await import(/* @vite-ignore */ `node:${path}`)).filter(
        (name) => name !== 'default',
      );
      const exported = names.map(
        (name) =>
          `export const ${name} = typeof original.${name} === 'function' && /^[a-z]/.test('${name}') ? watchCall('${path}.${name}', original.${name}) : original.${name};`,
      );
      const contents = [
        `import * as original from 'node:${path}';`,
        `import { watch as watchCall } from '${programs}/watch-calls.mjs';`,
        ...exported,
        `export default { ...original.default, ${names.join(', ')} };`,
      ];
      return { contents: contents.join('\n'), resolveDir: programs, loader: 'js' };
    });
  },
};

/** @returns What a program calls while workerd imports it. */
async function callsAtImport(name, program) {
  const folder = makeFolder(`watched-${name}`);
  const contents = `import { calls } from '${programs}/watch-calls.mjs';
import application from '${program}';
const atImport = [...calls];
const reply = (request) => new URL(request.url).pathname === '/calls' ? Response.json(atImport) : application.fetch(request);
export default { fetch: reply };`;
  const stdin = { contents, resolveDir: programs, loader: 'js' };
  await bundleWorker(undefined, `${folder}/worker.mjs`, {
    entryPoints: [],
    stdin,
    plugins: [watchedModules],
  });
  const server = await startWorkerd(folder);
  const calls = await (await fetch(`${server.origin}/calls`)).json();
  expect((await fetch(`${server.origin}/cookies`)).status).toBe(200);
  await server.stop();
  return calls;
}

describe('importing an application', () => {
  test.each(['ambit', 'fastify'])(
    'with %s uses no timer, no random number, no I/O and no generated code',
    async (flavor) => {
      await run(application, nodeOf('24'), ['runtimes/compile.mjs', flavor]);
      expect(await callsAtImport(flavor, `${application}/runtimes/worker-${flavor}.mjs`)).toEqual([]);
    },
  );

  test('a module that uses each of them is found', async () => {
    // Node's functions of workerd call those of the web.
    expect([...new Set(await callsAtImport('busy', `${programs}/busy.mjs`))]).toEqual([
      'globalThis.setTimeout',
      'globalThis.setInterval',
      'globalThis.setImmediate',
      'globalThis.fetch',
      'globalThis.WebSocket',
      'globalThis.eval',
      'globalThis.Function',
      'Math.random',
      'crypto.getRandomValues',
      'crypto.randomUUID',
      'caches.open',
      'crypto.randomBytes',
      'fs.readFileSync',
      'fs/promises.readFile',
      'net.connect',
    ]);
  });
});

/** What the build for workers contains: it names each source in a line of its own. */
const sources = () => {
  const code = readFileSync(`${application}/node_modules/ambit/dist/worker.mjs`, 'utf8');
  return [...code.matchAll(/^\/\/ (?!\\0)(\S+\.m?[jt]s)$/gm)].map(([, path]) => path);
};

/** What routing, forms, addresses of proxies and versions of plugins need, and what compiled schemas may load. */
const libraries = [
  '@fastify/busboy',
  '@fastify/forwarded',
  '@fastify/proxy-addr',
  'ajv',
  'ajv-formats',
  'fast-decode-uri-component',
  'fast-deep-equal',
  'fast-querystring',
  'find-my-way',
  'ipaddr.js',
  'pino-std-serializers',
  'ret',
  'safe-regex2',
  'secure-json-parse',
  'semver',
];

test('the build for workers has neither Ajv, nor pino, nor the HTTP engine', () => {
  const names = sources().map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]);
  expect([...new Set(names)].filter((name) => name !== undefined).sort()).toEqual(libraries);
  const ofAjv = sources().filter((path) => path.startsWith('node_modules/ajv/'));
  expect(ofAjv.filter((path) => !path.startsWith('node_modules/ajv/dist/runtime/'))).toEqual([]);
  expect(sources().filter((path) => path.startsWith('packages/http-engine/'))).toEqual([]);
});

test('a bundle of an application has nothing but the build for workers and its own modules', async () => {
  const folder = makeFolder('content');
  const { inputs } = await bundleWorker(`${programs}/worker.mjs`, `${folder}/worker.mjs`);
  const modules = Object.keys(inputs).map((path) => path.replace(/^.*\.application\//, ''));
  expect(modules.sort()).toEqual([
    'node_modules/ambit/dist/worker.mjs',
    'workers/compiled.mjs',
    'workers/notes.mjs',
    'workers/worker.mjs',
  ]);
});

describe('what a worker cannot do is an error that names it, and says what to do instead', () => {
  let server;
  beforeAll(async () => {
    const folder = makeFolder('refused');
    await bundleWorker(`${programs}/refused.mjs`, `${folder}/worker.mjs`);
    server = await startWorkerd(folder);
  });
  afterAll(() => server.stop());

  test.each([
    [
      '/logger',
      'the option `logger`',
      'loggerInstance: pino({ browser: { asObject: true, serialize: true } })',
      'ambit',
    ],
    ...[
      'http',
      'https',
      'http2',
      'engine',
      'serverFactory',
      'clientErrorHandler',
      'connectionTimeout',
      'headersTimeout',
      'keepAliveTimeout',
      'requestTimeout',
      'maxRequestsPerSocket',
      'forceCloseConnections',
    ].map((option) => [`/${option}`, `the option \`${option}\``, 'The runtime owns the server', 'ambit']),
    ['/listen', 'listen', 'export default app', 'ambit'],
    ['/inject', 'inject', 'app.fetch(', undefined],
    ['/overload', 'overload protection', 'limit requests in front of the application', 'ambit'],
    ['/setOverload', 'overload protection', 'limit requests in front of the application', 'ambit > limits'],
    ['/routing', 'app.routing', 'Use `app.fetch`', undefined],
    ['/replyTo', 'replyTo', 'Use `app.fetch`', undefined],
    ['/raw', 'request.raw.socket.getPeerCertificate', 'Use the request and the reply', 'sockets'],
    ['/signals', 'closeOnSignals', 'Leave it out', undefined],
    ['/upgrade', "the event 'upgrade' of app.server", 'Answer upgrades in a route', 'ambit > sockets'],
    ['/prepended', "the event 'upgrade' of app.server", 'Answer upgrades in a route', 'ambit > sockets'],
    ['/request', "the event 'request' of app.server", 'Use a hook of the application', 'ambit > sockets'],
    [
      '/connection',
      "the event 'connection' of app.server",
      'Use a hook of the application',
      'ambit > sockets',
    ],
    ['/setTimeout', 'app.server.setTimeout', 'Use a hook of the application', 'ambit > limits'],
  ])('%s', async (path, feature, wayOut, plugin) => {
    const error = await (await fetch(server.origin + path)).json();
    expect(error.code).toBe('AMBIT_ERR_RUNTIME_UNSUPPORTED');
    expect(error.message).toContain(`${feature}: not available in this runtime.`);
    expect(error.message).toContain(wayOut);
    expect(error.plugin).toBe(plugin);
    // A bundle is one file: no line of it is known to be the application's.
    expect(error.line).toBe(undefined);
  });

  test('routes that are to be compiled', async () => {
    const { message } = await (await fetch(`${server.origin}/compile`)).json();
    expect(message).toBe('Workers may not generate code: leave out the option `routerOptions.compile`');
  });

  test('a schema that no build has compiled', async () => {
    const error = await (await fetch(`${server.origin}/schema`)).json();
    expect(error.code).toBe('AMBIT_ERR_CODE_GENERATION_FORBIDDEN');
    expect(error.message).toContain('the body of POST /notes must be compiled');
    expect(error.message).toContain('run compileSchemas(app) or `ambit compile` in the build');
  });
});
