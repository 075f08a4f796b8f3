import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { signUp, start } from './start.ts';

const { app, origin } = await start();
after(() => app.close());
const { api: ada } = await signUp(origin);
const { api: bob } = await signUp(origin);

const created = await ada.post('/notes', { body: { text: 'with a file' } });
assert.equal(created.status, 201);
const params = { id: created.body.id };

function formWith(bytes: string, name: string) {
  const form = new FormData();
  form.append('file', new Blob([bytes]), name);
  return form;
}

test('a note without a file has none to read', async () => {
  assert.equal((await ada.get('/notes/:id/attachment', { params })).status, 404);
});

test('nobody attaches a file to the note of somebody else', async () => {
  const body = formWith('the bytes', 'a.txt');
  assert.equal((await bob.put('/notes/:id/attachment', { params, body })).status, 404);
  assert.equal((await ada.get('/notes/:id/attachment', { params })).status, 404);
});

test('a file can be attached, and read under its name', async () => {
  const body = formWith('the bytes', 'übersicht (1).txt');
  assert.equal((await ada.put('/notes/:id/attachment', { params, body })).status, 204);

  const reply = await ada.get('/notes/:id/attachment', { params });
  assert.equal(reply.status, 200);
  assert.equal(
    reply.headers.get('content-disposition'),
    "attachment; filename*=UTF-8''%C3%BCbersicht%20%281%29.txt",
  );
  assert.equal((await bob.get('/notes/:id/attachment', { params })).status, 404);

  const note = await ada.get('/notes/:id', { params });
  assert.equal(note.status, 200);
  assert.equal(note.body.attachment, 'übersicht (1).txt');
});

test('a form without a file gets 400', async () => {
  assert.equal((await ada.put('/notes/:id/attachment', { params, body: new FormData() })).status, 400);
});
