import { expect, test } from 'vitest';
import { makeFolder, runCommand, runShared } from '../../test/support/command.ts';
import { flavors } from '../../test/support/flavors.ts';

const routes = `
app.addHook('onRequest', async function rootHook() {});
app.register(async function notes(context) {
  context.addHook('onSend', async function stamp(_request, _reply, payload) { return payload; });
  context.get('/', { preHandler: [async function loadNotes() {}] }, () => []);
  context.get('/:id', () => 'note');
}, { prefix: '/notes' });
app.route({ method: ['PUT', 'PATCH'], url: '/both', handler: () => 'ok' });
export default app;
`;
const tests = `import app from './app.js';
await app.inject('/notes');
await app.inject({ method: 'PUT', url: '/both' });
await app.inject('/nowhere');
console.log('the tests have run');
`;

const roots = { ambit: 'ambit', 'the facade': 'fastify' };

for (const [flavor, make] of Object.entries(flavors)) {
  const root = roots[flavor as keyof typeof roots];

  test(`${flavor}: it shows the contexts with their hooks and their routes`, async () => {
    const { code, stdout, stderr } = await runShared(makeFolder({ 'app.js': make + routes }), ['routes']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`${root}  onRequest rootHook
├─ PUT,PATCH /both       -----  app.js:10:5
└─ notes /notes  onSend stamp
   ├─ GET    /notes      -----  app.js:7:11  preHandler loadNotes
   └─ GET    /notes/:id  -----  app.js:8:11

schemas: p params, q query string, h headers, b body, r response
`);
  });

  test(`${flavor}: --json prints the context of each hook`, async () => {
    const { stdout } = await runShared(makeFolder({ 'app.js': make + routes }), ['routes', '--json']);
    expect(JSON.parse(stdout)[1]).toEqual({
      method: 'GET',
      url: '/notes',
      context: `${root} > notes`,
      handler: 'app.js:7:11',
      file: 'app.js:7:11',
      schemas: [],
      hooks: [
        { name: 'onRequest', function: 'rootHook', context: root, from: 'context' },
        { name: 'preHandler', function: 'loadNotes', context: `${root} > notes`, from: 'route' },
        { name: 'onSend', function: 'stamp', context: `${root} > notes`, from: 'context' },
      ],
    });
  });

  test(`${flavor}: --unused lists the routes and methods that a test run has not requested`, async () => {
    const folder = makeFolder({ 'app.js': make + routes, 'tests.mjs': tests });
    const node = ['--', process.execPath, 'tests.mjs'];
    const { code, stdout, stderr } = await runCommand(folder, ['routes', '--unused', '--json', ...node]);
    expect([code, stderr]).toEqual([0, 'the tests have run\n']);
    const unused = JSON.parse(stdout).map(({ method, url }: { method: string; url: string }) => [
      method,
      url,
    ]);
    expect(unused).toEqual([
      ['PATCH', '/both'],
      ['GET', '/notes/:id'],
    ]);
    // The record of the last run stays.
    const again = await runCommand(folder, ['routes', '--unused', '--json', '--check']);
    expect([again.code, again.stdout]).toEqual([1, stdout]);
  });
}

for (const [flavor, make] of Object.entries(flavors)) {
  test(`${flavor}: routes that differ only in their constraints are listed and counted separately`, async () => {
    const folder = makeFolder({
      'app.js': `${make}
app.get('/v', { constraints: { version: '1.0.0' }, config: { limit: 1 } }, ({ routeOptions }) => routeOptions.config.limit);
app.get('/v', { constraints: { version: '2.0.0' } }, () => 'two');
app.get('/h/', { constraints: { host: /^a\\./ } }, () => 'host');
export default app;
`,
      'tests.mjs': `import app from './app.js';
const { body } = await app.inject({ url: '/v', headers: { 'accept-version': '1.x' } });
await app.inject({ url: '/h/', headers: { host: 'a.example' } });
console.log(body);
`,
    });
    const node = ['--', process.execPath, 'tests.mjs'];
    const { stdout, stderr } = await runCommand(folder, ['routes', '--unused', '--json', ...node]);
    expect(stderr).toBe('1\n');
    expect(JSON.parse(stdout)).toMatchObject([{ url: '/v', constraints: { version: '2.0.0' } }]);
    const all = await runCommand(folder, ['routes']);
    expect(all.stdout.match(/\/\S+ \w+=\S+/g)).toEqual([
      '/v version=1.0.0',
      '/v version=2.0.0',
      '/h/ host=/^a\\./',
    ]);
  });
}

test('--unused lists neither routes of packages nor those of the framework', async () => {
  const folder = makeFolder({
    'app.js': `${flavors.ambit.replace('ambit()', 'ambit({ health: true })')}
app.register((await import('plugin')).default);
app.get('/', () => 'ok');
export default app;
`,
    'node_modules/plugin/package.json': '{ "main": "index.mjs" }',
    'node_modules/plugin/index.mjs':
      "export default async (context) => { context.get('/plugin', () => 'ok'); };",
    'tests.mjs': '',
  });
  const node = ['--', process.execPath, 'tests.mjs'];
  const { stdout } = await runCommand(folder, ['routes', '--unused', '--json', ...node]);
  expect(JSON.parse(stdout)).toMatchObject([{ url: '/' }]);
  const all = await runCommand(folder, ['routes', '--json', '--all']);
  expect(all.stdout).toMatch(/"\/livez".*"\/plugin"|"\/plugin".*"\/livez"/s);
});

test('--unused --check passes if the tests have requested every route in their own processes', async () => {
  const folder = makeFolder({
    'app.js': `${flavors.ambit}app.get('/', () => 'ok');\nexport default app;`,
    'tests.mjs':
      "import { spawnSync } from 'node:child_process';\nspawnSync(process.execPath, ['child.mjs']);",
    'child.mjs': "import app from './app.js';\nawait app.inject('/');\nprocess.kill(process.pid, 'SIGKILL');",
  });
  const args = ['routes', '--unused', '--check', '--', process.execPath, 'tests.mjs'];
  expect(await runCommand(folder, args)).toEqual({
    code: 0,
    stdout: 'Every route has been requested.\n',
    stderr: '',
  });
});

const files = { 'app.js': flavors.ambit + routes, 'failing.mjs': 'process.exit(3);' };

for (const [args, code, message] of [
  [
    ['--unused'],
    1,
    'there is no record of a test run. Run the tests with `ambit routes --unused -- npm test`.',
  ],
  [['--check'], 2, '--check and a command after -- need --unused. See `ambit routes --help`.'],
  [['--', 'npm', 'test'], 2, '--check and a command after -- need --unused. See `ambit routes --help`.'],
  [
    ['--unused', '--', 'node', 'failing.mjs'],
    1,
    '`node failing.mjs` ended with exit code 3. Mend the tests first: their requests may be incomplete.',
  ],
] as const) {
  test(`routes ${args.join(' ')}: ${message}`, async () => {
    expect(await runShared(makeFolder(files), ['routes', ...args])).toEqual({
      code,
      stdout: '',
      stderr: `ambit: ${message}\n`,
    });
  });
}

test('an application without routes says so', async () => {
  const empty = makeFolder({ 'app.js': `${flavors.ambit}export default app;` });
  expect((await runShared(empty, ['routes'])).stdout).toBe('The application has no routes.\n');
});

test('handlers are shown by their names, and without one by their line', async () => {
  const app = `app.get('/named', function readAll() { return []; });
app.get('/property', { handler: () => 'x' });
export default app;`;
  const folder = makeFolder({ 'app.js': flavors.ambit + app });
  expect((await runShared(folder, ['routes'])).stdout).toBe(`ambit
├─ GET /named     -----  readAll  app.js:3:5
└─ GET /property  -----           app.js:4:5

schemas: p params, q query string, h headers, b body, r response
`);
  const { stdout } = await runCommand(folder, ['routes', '--json', '--all']);
  expect(JSON.parse(stdout).map(({ handler }: { handler: string }) => handler)).toEqual([
    'readAll',
    'readAll',
    'app.js:4:5',
    'app.js:4:5',
  ]);
});

test('functions without a name are shown by their line, schemas by letters, and routes of Ambit only with --all', async () => {
  const folder = makeFolder({
    'app.js': `import { ambit } from 'ambit';
import { openapi } from '@ambit/openapi';
const app = ambit({ health: true });
app.register(openapi);
app.addHook('onRequest', async () => {});
const schema = { querystring: { page: { type: 'integer' } }, response: { 200: { type: 'string' } } };
for (const prefix of ['/a', '/b']) {
  app.register(async (context) => {
    context.get('/', { schema }, () => 'x');
    context.post('/:id', { schema: { params: {}, body: { type: 'object' } }, onSend: async () => {} }, () => 'x');
  }, { prefix });
}
export default app;
`,
  });
  const { stdout } = await runCommand(folder, ['routes']);
  expect(stdout).toBe(`ambit  onRequest app.js:5:5
├─ app.js:8 /a
│  ├─ GET  /a      -q--r  app.js:9:13
│  └─ POST /a/:id  p--b-  app.js:10:13  onSend app.js:10:13
└─ app.js:8 /b
   ├─ GET  /b      -q--r  app.js:9:13
   └─ POST /b/:id  p--b-  app.js:10:13  onSend app.js:10:13

schemas: p params, q query string, h headers, b body, r response
`);
  const { stdout: all } = await runCommand(folder, ['routes', '--all']);
  expect(all).toContain('├─ GET     /docs ');
  expect(all).toContain('HEAD /readyz');
});
