import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeEvents } from '../src/events.ts';

const note = { id: '1', text: 'x', createdAt: '2026-01-01T00:00:00.000Z', attachment: null };

test('a client that does not read gets 100 notes, and then the end', async () => {
  const { publish, subscribe } = makeEvents();
  const created = await subscribe('ada', new AbortController().signal);
  for (let i = 0; i < 150; i++) await publish('ada', note);
  let received = 0;
  for await (const _ of created) received += 1;
  assert.equal(received, 100);
});

test('events end when the signal aborts', async () => {
  const { publish, subscribe } = makeEvents();
  const leave = new AbortController();
  const created = await subscribe('ada', leave.signal);
  leave.abort();
  await publish('ada', note);
  for await (const _ of created) assert.fail('there is an event after the end');
  for await (const _ of await subscribe('ada', leave.signal)) assert.fail('there is an event of the past');
});
