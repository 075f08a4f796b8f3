import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toOpenAPI } from '@ambit/openapi';
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

test('the documentation says that notes need a token, and that logging in needs none', async (t) => {
  const { app } = await start();
  t.after(() => app.close());
  const { paths } = await toOpenAPI(app);
  assert.match(JSON.stringify(paths['/notes']), /"security":\[\{"token":\[\]\}\]/);
  assert.doesNotMatch(JSON.stringify(paths['/tokens']), /"security"/);
  assert.equal((await app.inject('/docs')).statusCode, 200);
});
