// Tests the example as a user runs it: in a separate process, with requests over a socket, and stopped by a signal.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const server = fileURLToPath(new URL('server.mjs', import.meta.url));
let child;
let origin;

beforeAll(async () => {
  child = spawn(process.execPath, [server], { env: { ...process.env, PORT: '0' } });
  let output = '';
  child.stderr.on('data', (chunk) => (output += chunk));
  await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`ended with ${code}\n${output}`)));
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (/\/docs\n/.test(output)) resolve();
    });
  });
  [origin] = /http:\/\/localhost:\d+/.exec(output);
});
afterAll(() => child.kill('SIGKILL'));

/** Reads events until their text contains all of the parts. */
async function readUntil(headers, ...parts) {
  const controller = new AbortController();
  const response = await fetch(`${origin}/events`, { headers, signal: controller.signal });
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (parts.every((part) => text.includes(part))) break;
  }
  controller.abort();
  return text;
}

function postMessage(text) {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${origin}/messages`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ from: 'ada', text }),
  });
}

test('listeners receive a message with only the properties that its schema declares', async () => {
  const received = readUntil({}, '"first"');
  expect((await postMessage('first')).status).toBe(201);
  const text = await received;
  expect(text).toContain('retry: 1000\n\n');
  expect(text).toMatch(
    /event: message\nid: 1\ndata: \{"id":1,"from":"ada","text":"first","at":"[^"]+"\}\n\n/,
  );
  expect(text).not.toContain('127.0.0.1');
});

test('a browser that reconnects gets the messages that it has missed', async () => {
  await postMessage('second');
  const text = await readUntil({ 'last-event-id': '1' }, '"second"');
  expect(text).not.toContain('"first"');
});

test('an invalid message is rejected', async () => {
  expect((await postMessage('')).status).toBe(400);
});

function upload(bytes, type) {
  const form = new FormData();
  form.append('caption', 'A cat');
  form.append('picture', new Blob([bytes], { type }), '../../cat.png');
  return fetch(`${origin}/pictures`, { method: 'POST', body: form });
}

test('a picture is uploaded and sent back', async () => {
  const bytes = new Uint8Array(2_000_000).fill(7);
  const reply = await upload(bytes, 'image/png');
  expect([reply.status, await reply.json()]).toEqual([
    201,
    { id: 1, caption: 'A cat', type: 'image/png', size: bytes.length },
  ]);
  const sent = await fetch(`${origin}/pictures/1`);
  expect(sent.headers.get('content-type')).toBe('image/png');
  expect(Buffer.from(await sent.arrayBuffer()).equals(bytes)).toBe(true);
});

test('a file that is not a picture, and a file that is too large, are rejected', async () => {
  const html = await upload('<script>', 'text/html');
  expect([html.status, (await html.json()).message]).toEqual([
    400,
    'body/picture should be a file of type image/png, image/jpeg, image/webp, image/gif, but is text/html',
  ]);
  const large = await upload(new Uint8Array(10_000_001), 'image/png');
  expect([large.status, (await large.json()).message]).toEqual([
    413,
    "The file in field 'picture' is larger than 10000000 bytes",
  ]);
});

test('the page and the document are served', async () => {
  expect(await (await fetch(origin)).text()).toContain("new EventSource('/events')");
  const { paths } = await (await fetch(`${origin}/openapi.json`)).json();
  expect(Object.keys(paths)).toEqual(['/events', '/messages', '/pictures', '/pictures/{id}']);
});

test('a signal ends the process although a client listens to events', async () => {
  const response = await fetch(`${origin}/events`);
  const body = response.text();
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  expect(await body).toContain('retry: 1000');
});
