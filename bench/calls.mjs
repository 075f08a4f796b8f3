/**
 * Owns the measurement of a peer on Bun or Deno without sockets: the CPU time of a call of the function that its server gets. What a
 * server costs by itself is left out, so small differences show, and a busy machine matters less.
 *
 *   bun bench/calls.mjs bun-ambit get [calls]
 *   deno run --allow-all --node-modules-dir=manual bench/calls.mjs deno-ambit get [calls]
 */
import { scenarios } from './scenarios.mjs';

const [peer, name, calls = '200000'] = process.argv.slice(2);
const { load, routes = name } = scenarios[name];
const runtime = globalThis.Bun ?? globalThis.Deno;
/** As many requests run at the same time as over the connections of the other benchmark. */
const atOnce = 64;
const slices = 5;

/** @type {(request: Request, context: unknown) => Response | Promise<Response>} */
let serveRequest;
/** @type {unknown} */
let context;
const { serve } = runtime;
Object.defineProperty(runtime, 'serve', {
  value(options, handler = options.fetch) {
    serveRequest = handler;
    context = serve.call(runtime, options, handler);
    return context;
  },
});

const { start } = await import(`./peers/${peer}.mjs`);
await start(routes);

const { method, path, headers, body } = load.request;
const text = body === undefined ? undefined : JSON.stringify(body);
const bodyFields =
  text === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(text.length) };
const makeRequest = () =>
  new Request(`http://127.0.0.1${path}`, {
    method,
    headers: { host: '127.0.0.1', ...headers, ...bodyFields },
    body: text,
  });
const withoutBody = makeRequest();
/** A body can be read once. */
const call = () => serveRequest(text === undefined ? withoutBody : makeRequest(), context);

async function run(/** @type {number} */ count) {
  for (let done = 0; done < count; done += atOnce) await Promise.all(Array.from({ length: atOnce }, call));
}

const { status } = await call();
if (status !== load.status) throw new Error(`${peer} answers '${name}' with ${status}`);
await run(Number(calls) / 2);
const micros = [];
for (let slice = 0; slice < slices; slice++) {
  const begun = process.cpuUsage();
  await run(Number(calls) / slices);
  const { user, system } = process.cpuUsage(begun);
  micros.push((user + system) / (Number(calls) / slices));
}
console.log(`${peer}, ${name}: ${Math.min(...micros).toFixed(2)} µs/call`);
process.exit();
