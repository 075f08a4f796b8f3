import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toOpenAPI } from '@ambit/openapi';
import { connect } from '../src/client.ts';
import { start } from './start.ts';

test('health is ok while the database answers', async (t) => {
  const { app, origin } = await start();
  t.after(() => app.close());
  const reply = await connect(origin).get('/health');
  assert.equal(reply.status, 200);
  assert.deepEqual(reply.body, { status: 'ok' });
});

test('health is 503 when the database does not answer', async (t) => {
  const { app, origin } = await start();
  t.after(() => app.close());
  t.mock.method(app.database, 'query', () => Promise.reject(new Error('gone')));
  assert.equal((await connect(origin).get('/health')).status, 503);
});

test('the documentation says that notes need a token, and that logging in needs none', async (t) => {
  const { app } = await start();
  t.after(() => app.close());
  const { paths } = await toOpenAPI(app);
  assert.match(JSON.stringify(paths['/notes']), /"security":\[\{"token":\[\]\}\]/);
  assert.doesNotMatch(JSON.stringify(paths['/tokens']), /"security"/);
  assert.equal((await app.inject('/docs')).statusCode, 200);
});
