/**
 * Measures a peer on Bun or Deno without sockets: the CPU time of one call of the function that it passes to its server. The cost of the
 * server itself is not measured, so small differences are visible, and a busy machine has less effect.
 *
 *   bun bench/calls.mjs bun-ambit get [calls]
 *   deno run --allow-all --node-modules-dir=manual bench/calls.mjs deno-ambit get [calls]
 */
import { scenarios } from './scenarios.mjs';

const [peer, name, calls = '200000'] = process.argv.slice(2);
const { load, routes = name } = scenarios[name];
const runtime = globalThis.Bun ?? globalThis.Deno;
/** The number of requests that run at the same time, as in the benchmark over connections. */
const atOnce = 64;
const slices = 5;

/** @type {(request: Request, context: unknown) => Response | Promise<Response>} */
let serveRequest;
/** @type {unknown} */
let context;
const { serve } = runtime;
Object.defineProperty(runtime, 'serve', {
  value(options, handler = options.fetch) {
    // Bun calls the function of a route where there is one for the path.
    serveRequest = options.routes?.[load.request.path]?.[load.request.method] ?? handler;
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
/** Creates a new request if it has a body, because a body can be read only once. */
const call = () => serveRequest(text === undefined ? withoutBody : makeRequest(), context);

async function run(/** @type {number} */ count) {
  for (let done = 0; done < count; done += atOnce) await Promise.all(Array.from({ length: atOnce }, call));
}

const { status } = await call();
if (status !== load.status) throw new Error(`${peer} answers '${name}' with ${status}`);
await run(Number(calls) / 2);
const micros = [];
for (let slice = 0; slice < slices; slice++) {
  const startUsage = process.cpuUsage();
  await run(Number(calls) / slices);
  const { user, system } = process.cpuUsage(startUsage);
  micros.push((user + system) / (Number(calls) / slices));
}
console.log(`${peer}, ${name}: ${Math.min(...micros).toFixed(2)} µs/call`);
process.exit();
