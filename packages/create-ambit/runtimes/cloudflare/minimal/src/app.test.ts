import assert from 'node:assert/strict';
import { test } from 'node:test';
import makeApp from './app.ts';

test('a greeting has the name from the URL, and the number of greetings from the query', async (t) => {
  const app = makeApp({ logger: false });
  t.after(() => app.close());
  const response = await app.inject.get('/hello/:name', { params: { name: 'ada' }, query: { times: 2 } });
  assert.equal(response.statusCode, 200);
  assert.deepEqual(response.json(), { greeting: 'hello hello ada' });
});

test('a number that is too large gets 400 with the reason', async (t) => {
  const app = makeApp({ logger: false });
  t.after(() => app.close());
  const response = await app.inject.get('/hello/:name', { params: { name: 'ada' }, query: { times: 6 } });
  assert.equal(response.statusCode, 400);
  assert.match(response.body, /querystring\/times should be <= 5/);
});
