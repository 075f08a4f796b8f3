// Chromium, with a page that asks for what pages ask for: the engine serves all of it.
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { chromiumFlags, chromiumPath } from '../../scripts/chromium.mjs';
import { answers, echo, serve } from './support.mjs';

const page = `<!doctype html><link rel="stylesheet" href="/style.css"><script src="/script.js" defer></script>
<form method="post" action="/form" enctype="multipart/form-data"><input name="a" value="1"></form>`;

const script = `
async function send(target, method, body) {
  const response = await fetch(target, { method, body });
  return response.text();
}
(async () => {
  const results = [
    await send('/1?q=a%20b', 'GET'),
    await send('/2', 'POST', 'hello'),
    await send('/3', 'PUT', new Blob(['x'.repeat(100000)])),
    await send('/4', 'DELETE'),
    await send('/5', 'POST', new URLSearchParams({ a: '1', b: '2 + 3' })),
  ];
  await Promise.all(Array.from({ length: 20 }, (_, i) => send('/many-' + i, 'GET')));
  await fetch('/results', { method: 'POST', body: JSON.stringify(results) });
  document.forms[0].submit();
})();`;

const files = {
  '/': ['text/html', page],
  '/style.css': ['text/css', 'body { margin: 0 }'],
  '/script.js': ['text/javascript', script],
};

test('Chromium stays with the engine, for pages, scripts, fetch and forms', async () => {
  const events = new EventEmitter();
  const results = once(events, '/results');
  const submitted = once(events, '/form');
  const { url, counters } = await serve((exchange) => {
    const [type, text] = files[exchange.target] ?? [];
    if (text !== undefined) exchange.respond(200, { 'content-type': type }, text);
    else echo(exchange, (body) => events.emit(exchange.target, body));
  });
  const profile = mkdtempSync(join(tmpdir(), 'http-engine-browser-'));
  const browser = spawn(
    chromiumPath,
    [...chromiumFlags, `--user-data-dir=${profile}`, '--remote-debugging-port=0', url],
    { stdio: 'ignore' },
  );
  onTestFinished(async () => {
    browser.kill();
    if (browser.exitCode === null && browser.signalCode === null) await once(browser, 'exit');
    // Helper processes of the browser can still write for a moment.
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });
  const [text] = await results;
  expect(JSON.parse(text)).toEqual(answers);
  await submitted;
  expect(counters.handedOver).toEqual({});
  expect(counters.requests).toBeGreaterThanOrEqual(3 + 5 + 20 + 2);
});
