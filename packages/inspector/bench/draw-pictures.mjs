// Takes the pictures of docs/guide/inspector.md: `npm run build && node packages/inspector/bench/draw-pictures.mjs [name …]`. It uses the
// playwright-core of ecosystem/.
import { createRequire } from 'node:module';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { inspector } from '@ambit/inspector';
import { ambit } from 'ambit';
import { chromiumFlags, chromiumPath } from '../../../scripts/chromium.mjs';

const require = createRequire(new URL('../../../ecosystem/package.json', import.meta.url));
const { chromium } = require('playwright-core');
const folder = fileURLToPath(new URL('../../../docs/guide/', import.meta.url));

/** The pictures by their names: the address of each, and what has to be there before it is taken. */
const pictures = {
  'inspector-requests': { hash: ({ failed }) => `#/requests/${failed}`, shown: '.error-card' },
};

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const notes = new Map([['1', { id: 1, title: 'Milk' }]]);

async function loadNote(id) {
  await wait(4);
  return notes.get(id);
}

async function api(context) {
  context.addHook('onRequest', async function checkToken() {});
  context.get('/notes', async function listNotes() {
    return [...notes.values()];
  });
  context.get('/notes/:id', async function readNote(request) {
    const { id } = request.params;
    const note = await loadNote(id);
    request.log.info({ note: id, found: note !== undefined }, 'looked up the note');
    return { title: note.title.trim() };
  });
  context.post('/notes', async function addNote(request, reply) {
    return reply.code(201).send(request.body);
  });
  context.delete('/notes/:id', async function removeNote() {
    throw Object.assign(new Error('not yours'), { statusCode: 403 });
  });
  context.get('/report', async function makeReport() {
    await wait(1_300);
    return 'report';
  });
  context.get('/export', async function writeExport() {
    await wait(20_000);
    return 'export';
  });
  const events = { 200: { content: { 'text/event-stream': { itemSchema: { type: 'object' } } } } };
  context.get('/events', { schema: { response: events } }, async function* sendEvents() {
    yield { data: 'hello' };
    await wait(60_000);
  });
}

const log = new Writable({ write: (_line, _encoding, done) => done() });
const app = ambit({ logger: { stream: log } });
app.register(inspector);
app.register(api, { prefix: '/api' });
const origin = await app.listen({ port: 0, host: '127.0.0.1' });
const send = (path, options) => fetch(`${origin}/api${path}`, options);

// A first request of each kind is slow, because code is compiled.
for (let i = 0; i < 5; i++) for (const path of ['/notes', '/notes/1', '/nowhere']) await send(path);
const abort = new AbortController();
await send('/events', { signal: abort.signal });
await send('/report');
abort.abort();
await send('/notes/2');
await send('/notes/1', { method: 'DELETE' });
await send('/notes', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"title":"Bread"}',
});
for (const path of ['/notes', '/notes/1?page=2', '/nowhere', '/notes/1']) await send(path);
const { requests } = await (await fetch(`${origin}/__ambit/requests.json`)).json();
const numbers = { failed: requests.find(({ status }) => status === 500).number };

const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags });
try {
  // A request in flight.
  const abortExport = new AbortController();
  send('/export', { signal: abortExport.signal }).catch(() => {});
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  const wanted = process.argv.slice(2);
  for (const [name, { hash, shown }] of Object.entries(pictures)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await page.goto('about:blank');
    await page.goto(`${origin}/__ambit${hash(numbers)}`);
    await page.locator(shown).first().waitFor();
    await wait(300);
    await page.screenshot({ path: `${folder}${name}.png` });
  }
  abortExport.abort();
} finally {
  await browser.close();
  await app.close();
}
