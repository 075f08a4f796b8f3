import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connect } from '../src/client.ts';
import { signUp, start } from './start.ts';

const { app, origin } = await start();
after(() => app.close());
const { api: ada, token } = await signUp(origin);
const { api: bob } = await signUp(origin);

test('a note can be written, read, listed and deleted', async () => {
  const created = await ada.post('/notes', { body: { text: 'buy milk' } });
  assert.equal(created.status, 201);
  assert.equal(created.body.text, 'buy milk');
  const params = { id: created.body.id };

  assert.deepEqual((await ada.get('/notes/:id', { params })).body, created.body);
  assert.deepEqual((await ada.get('/notes')).body, [created.body]);

  assert.equal((await ada.delete('/notes/:id', { params })).status, 204);
  assert.equal((await ada.get('/notes/:id', { params })).status, 404);
  assert.equal((await ada.delete('/notes/:id', { params })).status, 404);
  assert.deepEqual((await ada.get('/notes')).body, []);
});

test('nobody sees or deletes the notes of somebody else', async () => {
  const created = await ada.post('/notes', { body: { text: 'a secret' } });
  assert.equal(created.status, 201);
  const params = { id: created.body.id };

  assert.deepEqual((await bob.get('/notes')).body, []);
  assert.equal((await bob.get('/notes/:id', { params })).status, 404);
  assert.equal((await bob.delete('/notes/:id', { params })).status, 404);
  assert.equal((await ada.get('/notes/:id', { params })).status, 200);
});

const refusedTokens = [
  [undefined, 'no token'],
  ['wrong', 'a wrong token'],
] as const;

for (const [token, what] of refusedTokens) {
  test(`with ${what}, notes are refused with 401`, async () => {
    const api = connect(origin, token);
    const reply = await api.get('/notes');
    assert.equal(reply.status, 401);
    assert.equal(reply.headers.get('www-authenticate'), 'Bearer');
    assert.equal((await api.post('/notes', { body: { text: 'x' } })).status, 401);
  });
}

const lengths = [
  [0, 400],
  [1, 201],
  [10_000, 201],
  [10_001, 400],
] as const;

for (const [length, status] of lengths) {
  test(`a note of ${length} characters gets ${status}`, async () => {
    const reply = await ada.post('/notes', { body: { text: 'x'.repeat(length) } });
    assert.equal(reply.status, status);
  });
}

test('a list is not longer than its limit', async () => {
  for (const text of ['one', 'two', 'three']) await bob.post('/notes', { body: { text } });
  const reply = await bob.get('/notes', { query: { limit: 2 } });
  assert.equal(reply.status, 200);
  assert.equal(reply.body.length, 2);
});

test('a new note is sent to the user who wrote it, and to nobody else', async () => {
  const leave = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${origin}/notes/events`, { headers, signal: leave.signal });
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  assert.ok(response.body);

  await bob.post('/notes', { body: { text: 'of somebody else' } });
  await ada.post('/notes', { body: { text: 'of mine' } });
  let received = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    received += text;
    if (received.includes('data:')) break;
  }
  assert.match(received, /event: created\ndata: \{.*"text":"of mine"/);
  leave.abort();
});
