// Tests the example as a user runs it: in a separate process, with requests over sockets, and stopped by a signal.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const server = fileURLToPath(new URL('server.mjs', import.meta.url));
let child;
let output = '';
let origin;
let metricsUrl;

beforeAll(async () => {
  const env = { ...process.env, PORT: '0', METRICS_PORT: '0' };
  child = spawn(process.execPath, [server], { env });
  child.stderr.on('data', (chunk) => (output += chunk));
  await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`ended with ${code}\n${output}`)));
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (/\/metrics\n/.test(output)) resolve();
    });
  });
  [, origin] = /curl (localhost:\d+)/.exec(output);
  origin = `http://${origin}`;
  [metricsUrl] = /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(output);
});
afterAll(() => child.kill('SIGKILL'));

const read = async () => (await fetch(metricsUrl)).text();

/** Reads the metrics until they contain a line, because a client may receive a response before the request is counted. */
async function readUntil(line) {
  for (;;) {
    const text = await read();
    if (text.includes(line)) return text;
  }
}

function countOf(method, route, status) {
  const labels = `http_request_method="${method}",http_route="${route}",http_response_status_code="${status}"`;
  return `http_server_request_duration_seconds_count{${labels}}`;
}

test('durations are measured by route and status', async () => {
  for (const path of ['/notes/1', '/notes/2']) expect((await fetch(origin + path)).status).toBe(200);
  expect((await fetch(`${origin}/notes/x`)).status).toBe(400);
  expect((await fetch(`${origin}/broken`)).status).toBe(500);
  expect((await fetch(`${origin}/made/up/by/a/client`)).status).toBe(404);
  await readUntil(`${countOf('GET', '/notes/:id', 200)} 2\n`);
  await readUntil(`${countOf('GET', '/notes/:id', 400)} 1\n`);
  await readUntil(`${countOf('GET', '/broken', 500)} 1\n`);
  const text = await readUntil(`${countOf('GET', '', 404)} 1\n`);
  expect(text).not.toContain('made/up');
  expect(text).toContain('http_server_active_requests 0\n');
  expect(text).toMatch(/^http_server_concurrency_limit \d+$/m);
  expect(text).toContain('http_server_requests_refused 0\n');
  expect(text).toContain('process_cpu_user_seconds_total');
});

test('requests to probes and to /metrics are not measured', async () => {
  expect((await fetch(`${origin}/livez`)).status).toBe(200);
  await read();
  const text = await read();
  expect(text).not.toContain('/livez');
  expect(text).not.toContain('http_route="/metrics"');
});

test('the port of the application does not serve metrics', async () => {
  expect((await fetch(`${origin}/metrics`)).status).toBe(404);
});

test('log lines contain the trace id of a request', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
  await fetch(`${origin}/notes/7`, { headers: { traceparent } });
  while (!output.includes(`"trace_id":"${traceId}"`)) await once(child.stdout, 'data');
  expect(output).toContain(`"traceparent":"${traceparent}"`);
});

test('a signal ends the process', async () => {
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});
