import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toOpenAPI } from '@ambit/openapi';
import { readConfig } from '../src/config.ts';
import { start } from './start.ts';

test('the process is live and ready while the database answers', async (t) => {
  const { app, origin } = await start();
  t.after(() => app.close());
  assert.equal((await fetch(`${origin}/livez`)).status, 200);
  assert.equal((await fetch(`${origin}/readyz`)).status, 200);
});

test('without a database, the process is live and not ready', async (t) => {
  const { app, origin } = await start();
  t.after(() => app.close());
  t.mock.method(app.database, 'query', () => Promise.reject(new Error('gone')));
  assert.equal((await fetch(`${origin}/livez`)).status, 200);
  assert.equal((await fetch(`${origin}/readyz`)).status, 503);
});

test('errors are problem details, also those of the framework', async (t) => {
  const { app, origin } = await start();
  t.after(() => app.close());
  for (const path of ['/nowhere', '/notes']) {
    const response = await fetch(origin + path);
    assert.match(String(response.headers.get('content-type')), /^application\/problem\+json/);
    assert.match(await response.text(), new RegExp(`"status":${response.status}`));
  }
});

test('the documentation says that notes need a token and logging in does not', async (t) => {
  const { app } = await start();
  t.after(() => app.close());
  const { paths } = await toOpenAPI(app);
  assert.match(JSON.stringify(paths['/notes']), /"security":\[\{"token":\[\]\}\]/);
  assert.doesNotMatch(JSON.stringify(paths['/tokens']), /"security"/);
  assert.equal((await app.inject('/docs')).statusCode, 200);
});

test('only the address that a trusted proxy forwards has its own rate limit', async (t) => {
  const remaining = async (origin: string, forwarded: string) => {
    const response = await fetch(`${origin}/docs`, { headers: { 'x-forwarded-for': forwarded } });
    return response.headers.get('x-ratelimit-remaining');
  };
  const behindProxy = await start({ TRUST_PROXY: '127.0.0.0/8, ::1' });
  t.after(() => behindProxy.app.close());
  assert.equal(
    await remaining(behindProxy.origin, '192.0.2.1'),
    await remaining(behindProxy.origin, '192.0.2.2'),
  );
  const alone = await start();
  t.after(() => alone.app.close());
  assert.notEqual(await remaining(alone.origin, '192.0.2.1'), await remaining(alone.origin, '192.0.2.2'));
});

test('the configuration has defaults', () => {
  assert.deepEqual(readConfig({}), {
    logLevel: 'info',
    databaseFile: 'data/notes.db',
    databaseUrl: undefined,
    uploadsFolder: 'data/uploads',
    trustProxy: false,
    openTelemetry: false,
  });
});

test('the configuration is read from the environment', () => {
  const config = readConfig({ TRUST_PROXY: '10.0.0.0/8, ::1', OPENTELEMETRY: 'true' });
  assert.deepEqual(config.trustProxy, ['10.0.0.0/8', '::1']);
  assert.equal(config.openTelemetry, true);
});

const refusedValues = [
  ['LOG_LEVEL', 'loud'],
  ['DATABASE_URL', 'mysql://localhost'],
  ['TRUST_PROXY', 'everybody'],
  ['TRUST_PROXY', '10.0.0.1,'],
  ['OPENTELEMETRY', 'yes'],
] as const;

for (const [variable, value] of refusedValues) {
  test(`${variable}=${value} is refused`, () => {
    assert.throws(() => readConfig({ [variable]: value }), new RegExp(variable));
  });
}
