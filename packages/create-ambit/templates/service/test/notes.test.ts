import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
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
  assert.deepEqual((await ada.get('/notes')).body, { notes: [created.body], next: null });

  assert.equal((await ada.delete('/notes/:id', { params })).status, 204);
  assert.equal((await ada.get('/notes/:id', { params })).status, 404);
  assert.equal((await ada.delete('/notes/:id', { params })).status, 404);
  assert.deepEqual((await ada.get('/notes')).body, { notes: [], next: null });
});

test('a note can be changed', async () => {
  const created = await ada.post('/notes', { body: { text: 'buy milk' } });
  assert.equal(created.status, 201);
  const params = { id: created.body.id };
  const changed = await ada.patch('/notes/:id', { params, body: { text: 'buy oats' } });
  assert.deepEqual(changed.body, { ...created.body, text: 'buy oats' });
  assert.deepEqual((await ada.get('/notes/:id', { params })).body, changed.body);

  for (const body of ['{}', '{"txt":"x"}', '{"text":""}']) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${origin}/notes/${params.id}`, { method: 'PATCH', headers, body });
    assert.equal(response.status, 400);
  }
  assert.equal((await ada.delete('/notes/:id', { params })).status, 204);
  assert.equal((await ada.patch('/notes/:id', { params, body: { text: 'gone' } })).status, 404);
});

test('nobody sees, changes or deletes the notes of somebody else', async () => {
  const created = await ada.post('/notes', { body: { text: 'a secret' } });
  assert.equal(created.status, 201);
  const params = { id: created.body.id };

  assert.deepEqual((await bob.get('/notes')).body, { notes: [], next: null });
  assert.equal((await bob.get('/notes/:id', { params })).status, 404);
  assert.equal((await bob.patch('/notes/:id', { params, body: { text: 'mine' } })).status, 404);
  assert.equal((await bob.delete('/notes/:id', { params })).status, 404);
  assert.equal((await ada.get('/notes/:id', { params })).status, 200);
});

/** Stores notes of one millisecond: only their ids order them. */
async function storeNotes(userId: string, count: number, createdAt: string) {
  for (let i = 0; i < count; i++) {
    await app.database.query(
      'insert into notes (id, user_id, text, created_at) values ($1, $2, $3, $4)',
      randomUUID(),
      userId,
      `note ${i}`,
      createdAt,
    );
  }
}

/** Reads events until one contains a text, and leaves. */
async function readEvents(token: string, until: string, lastEventId?: string, whenOpen = async () => {}) {
  const leave = new AbortController();
  const headers = { authorization: `Bearer ${token}`, ...(lastEventId && { 'last-event-id': lastEventId }) };
  const response = await fetch(`${origin}/notes/events`, { headers, signal: leave.signal });
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  assert.ok(response.body);
  await whenOpen();
  let received = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    received += text;
    if (received.includes(until)) break;
  }
  leave.abort();
  const ids = [...received.matchAll(/^id: (.+)$/gm)].map(([, id]) => id);
  const texts = [...received.matchAll(/"text":"([^"]+)"/g)].map(([, text]) => text);
  return { received, ids, texts, lastId: ids.at(-1) };
}

test('a new note is sent to the user who wrote it, and to nobody else', async () => {
  const { received } = await readEvents(token, 'of mine', undefined, async () => {
    await bob.post('/notes', { body: { text: 'of somebody else' } });
    await ada.post('/notes', { body: { text: 'of mine' } });
  });
  assert.match(received, /event: created\nid: .+\ndata: \{.*"text":"of mine"/);
  assert.doesNotMatch(received, /somebody else/);
});

test('a client that connects again gets the notes that it has missed, and then the new ones', async () => {
  const { api, token } = await signUp(origin);
  const open = await readEvents(token, 'id: ');
  // The connection is lost before the first note.
  await api.post('/notes', { body: { text: 'one' } });
  const first = await readEvents(token, 'one', open.lastId);
  assert.deepEqual(first.texts, ['one']);

  for (const text of ['two', 'three']) await api.post('/notes', { body: { text } });
  const second = await readEvents(token, 'four', first.lastId, async () => {
    await api.post('/notes', { body: { text: 'four' } });
  });
  // The last one before may come again.
  assert.deepEqual(second.texts.toSorted(), ['four', 'one', 'three', 'two']);
});

test('a client that has missed more than a page of notes gets all of them, each once', async () => {
  const { api, id, token } = await signUp(origin);
  const { lastId } = await readEvents(token, 'id: ');
  await storeNotes(id, 201, new Date().toISOString());
  const { texts } = await readEvents(token, 'the last', lastId, async () => {
    await api.post('/notes', { body: { text: 'the last' } });
  });
  assert.equal(texts.length, 202);
  assert.equal(new Set(texts).size, 202);
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

test('every note is on one page of the list', async () => {
  const { api, id } = await signUp(origin);
  await storeNotes(id, 101, '2026-01-01T00:00:00.000Z');
  await api.post('/notes', { body: { text: 'the newest' } });
  const texts: string[] = [];
  let cursor: string | undefined;
  for (const expected of [50, 50, 2]) {
    const page = await api.get('/notes', { query: { limit: 50, ...(cursor && { cursor }) } });
    assert.equal(page.status, 200);
    assert.equal(page.body.notes.length, expected);
    texts.push(...page.body.notes.map(({ text }) => text));
    cursor = page.body.next ?? undefined;
  }
  assert.equal(cursor, undefined);
  assert.equal(texts[0], 'the newest');
  assert.equal(new Set(texts).size, 102);
});

test('a list of as many notes as its limit has no next page', async () => {
  const { api, id } = await signUp(origin);
  await storeNotes(id, 2, '2026-01-01T00:00:00.000Z');
  const page = await api.get('/notes', { query: { limit: 2 } });
  assert.equal(page.status, 200);
  assert.equal(page.body.next, null);
});

const cursorOf = (time: string) => Buffer.from(`${time} ${randomUUID()}`).toString('base64url');

const refusedCursors = [
  ['empty', ''],
  ['no position', 'x'],
  ['not of a time', cursorOf('yesterday')],
  ['of a day that does not exist', cursorOf('2026-13-01T00:00:00.000Z')],
] as const;

for (const [what, cursor] of refusedCursors) {
  test(`a cursor that is ${what} is refused`, async () => {
    assert.equal((await ada.get('/notes', { query: { cursor } })).status, 400);
    const headers = { authorization: `Bearer ${token}`, 'last-event-id': cursor || '-' };
    assert.equal((await fetch(`${origin}/notes/events`, { headers })).status, 400);
  });
}
