// What developers are told about the mistakes of running code: the whole text, with the line of the program.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const folder = fileURLToPath(new URL(`../../../.cache/mistakes-${process.pid}/`, import.meta.url));
afterAll(() => rmSync(folder, { recursive: true }));

const start = `import { ambit, readableLog } from 'ambit';

process.on('warning', ({ code, message }) => console.log(\`\${code} \${message}\`));
const stream = readableLog((text) => process.stdout.write(text), { isHidden: ({ err }) => err === undefined });
const app = ambit(process.env.LOGS ? { logger: { stream } } : {});
`;
const end = `
await app.inject('/');
await app.inject('/');
await new Promise(setImmediate);
`;

/** Runs a program that begins at its line 6, and returns what it prints, with paths inside its folder. */
function run(program: string, env: Record<string, string> = {}): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'server.mjs');
  writeFileSync(file, start + program + end);
  const { NODE_ENV, ...others } = process.env;
  const { stdout, stderr } = spawnSync(process.execPath, ['--no-warnings', file], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...others, NO_COLOR: '1', ...env },
  });
  return (stdout + stderr)
    .replaceAll(folder, '')
    .replace(/\d\d:\d\d:\d\d /g, '')
    .trim();
}

const once = 'This warning appears once for each route, and not in production.';

describe('a warning, once', () => {
  const warnings: Record<string, readonly [program: string, warning: string]> = {
    'of a second call of reply.send': [
      `app.get('/', (request, reply) => {
  reply.send('a');
  reply.send('b');
});`,
      `AMBWRN015 GET / replies twice: reply.send is called again (server.mjs:8:9). Only the first reply counts. Return after it: \`return reply.send(...)\`. ${once}`,
    ],
    'of a value that is returned after reply.send': [
      `app.get('/', async (request, reply) => {
  reply.send('a');
  return { a: 1 };
});`,
      `AMBWRN015 GET / replies twice: its handler has called reply.send, and returns a value too (server.mjs:6:5). Only the first reply counts. Return after it: \`return reply.send(...)\`. ${once}`,
    ],
    'of a hook of a context that takes done and returns a promise': [
      `app.register(async function auth(context) {
  context.addHook('preHandler', function check(request, reply, done) {
    return Promise.resolve().then(() => done());
  });
  context.get('/', () => 'x');
});`,
      'AMBWRN016 GET / has a hook that takes done and returns a promise: preHandler "check" (server.mjs:6:5). Whichever comes first ends the hook. Make it async and remove the parameter done, or return nothing. This warning appears once for each hook, and not in production.',
    ],
    'of such a hook of a route': [
      "app.get('/', { onSend: (request, reply, payload, done) => Promise.resolve(payload) }, () => 'x');",
      'AMBWRN016 GET / has a hook that takes done and returns a promise: onSend "onSend" (server.mjs:6:5). Whichever comes first ends the hook. Make it async and remove the parameter done, or return nothing. This warning appears once for each hook, and not in production.',
    ],
  };

  for (const [what, [program, warning]] of Object.entries(warnings)) {
    test(what, () => {
      expect(run(program)).toBe(warning);
    });
  }

  test('not in production', () => {
    const program = `app.get('/', { onRequest: (request, reply, done) => Promise.resolve() }, (request, reply) => {
  reply.send('a');
  reply.send('b');
});`;
    expect(run(program)).toMatch(/AMBWRN016.*\nAMBWRN015/);
    expect(run(program, { NODE_ENV: 'production' })).toBe('');
  });

  test('not of a hook that returns a promise and takes no done', () => {
    expect(run("app.get('/', { onRequest: () => Promise.resolve() }, () => 'x');")).toBe('');
  });
});

describe('the log line of an error, on a terminal, has a hint', () => {
  const declared = `app.register(async function notes(context) {
  context.decorate('store', new Map());
  context.decorateRequest('user', '');
});
`;
  const hints: Record<string, readonly [program: string, lines: string]> = {
    'for a decorator of another context': [
      `${declared}app.register(async function users(context) {
  context.get('/', () => context.store.get('x'));
});`,
      `ERROR Cannot read properties of undefined (reading 'get') (GET /)
  Hint: 'store' is undefined here: it is declared in ambit > notes, from which ambit > users does not inherit. Declare it in a context above both, or wrap the plugin that declares it in hoist()
      at RootContext.<anonymous> (server.mjs:11:40)`,
    ],
    'for a decorator of requests of another context': [
      `${declared}app.get('/', async (request) => request.user.id);`,
      `ERROR Cannot read properties of undefined (reading 'id') (GET /)
  Hint: 'user' is undefined here: it is declared in ambit > notes, from which ambit does not inherit. Declare it in a context above both, or wrap the plugin that declares it in hoist()
      at RootContext.<anonymous> (server.mjs:10:46)`,
    ],
    'for a body that is read too early': [
      `app.get('/', { onRequest: async (request) => request.body.name }, () => 'x');`,
      `ERROR Cannot read properties of undefined (reading 'name') (GET /)
  Hint: the body is read after the onRequest hooks: read 'request.body' in a preValidation hook or later
      at RootContext.onRequest (server.mjs:6:59)`,
    ],
    'for a body that is taken apart too early': [
      `app.get('/', { preParsing: async (request) => { const { name } = request.body; } }, () => 'x');`,
      `ERROR Cannot destructure property 'name' of 'request.body' as it is undefined. (GET /)
  Hint: the body is read after the preParsing hooks: read 'request.body' in a preValidation hook or later
      at RootContext.preParsing (server.mjs:6:57)`,
    ],
  };

  for (const [what, [program, lines]] of Object.entries(hints)) {
    test(what, () => {
      expect(run(program, { LOGS: '1' })).toContain(lines);
    });
  }

  test('but not for a body that a request does not have, nor for a name that nobody has declared', () => {
    const program =
      "app.get('/', (request) => request.body.name);\napp.get('/b', (request) => request.usr.name);";
    const printed = run(`${program}\nawait app.inject('/b');`, { LOGS: '1' });
    expect(printed).toContain("undefined (reading 'name') (GET /b)");
    expect(printed).not.toContain('Hint');
  });

  test('nor in production', () => {
    const program = `${declared}app.get('/', () => app.store.get('x'));`;
    expect(run(program, { LOGS: '1' })).toContain('Hint');
    expect(run(program, { LOGS: '1', NODE_ENV: 'production' })).not.toContain('Hint');
  });
});

test('the error of a plugin that reads a decorator of its sibling shows where it is declared', () => {
  const program = `app.register(async function notes(context) {
  context.decorate('store', new Map());
});
app.register(async function users(context) {
  context.store.set('x', 1);
});`;
  expect(run(program)).toContain(`Ambit cannot start: Cannot read properties of undefined (reading 'set').

  server.mjs:10:17
     9 | app.register(async function users(context) {
  > 10 |   context.store.set('x', 1);
       |                 ^^^
       | 'store' is undefined here: it is declared in ambit > notes, from which ambit > users does not inherit. Declare it in a context above both, or wrap the plugin that declares it in hoist().
    11 | });

  in plugin ambit > users · TypeError`);
});
