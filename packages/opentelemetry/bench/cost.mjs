// Measures the cost of observing a request: `node packages/opentelemetry/bench/cost.mjs [rounds]`, after `npm run build`. A server in its
// own process responds to requests over keep-alive connections. It measures the CPU time of this process for each request, in turns, and
// prints the median of all rounds with the minimum and the maximum. A processor drops the spans, so the cost of an exporter is not
// measured.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(import.meta.url);
const require = createRequire(import.meta.url);
const rounds = Number(process.argv[2] ?? 5);
const requestCount = 20_000;
const connections = 20;
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const variants = {
  nothing: () => {},
  'an onResponse hook': () => {},
  'channels, subscribers that do nothing': () => {
    const { tracingChannel } = require('node:diagnostics_channel');
    tracingChannel('ambit.request').subscribe({ start() {}, asyncEnd() {} });
  },
  'spans of 1 % of requests (sampled), metrics': () => instrument({}, 0.01),
  'spans, metrics': () => instrument({}, 1),
  'spans, metrics, spans of steps': () => instrument({ steps: true }, 1),
};

function instrument(options, ratio) {
  const { context, metrics, propagation, trace } = require('@opentelemetry/api');
  const { AsyncLocalStorageContextManager } = require('@opentelemetry/context-async-hooks');
  const { W3CTraceContextPropagator } = require('@opentelemetry/core');
  const { BasicTracerProvider, TraceIdRatioBasedSampler } = require('@opentelemetry/sdk-trace-base');
  const { MeterProvider, MetricReader } = require('@opentelemetry/sdk-metrics');
  const { AmbitInstrumentation } = require('@ambit/opentelemetry');
  class Reader extends MetricReader {
    async onForceFlush() {}
    async onShutdown() {}
  }
  const drop = { onStart() {}, onEnd() {}, async forceFlush() {}, async shutdown() {} };
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const sampler = new TraceIdRatioBasedSampler(ratio);
  trace.setGlobalTracerProvider(new BasicTracerProvider({ sampler, spanProcessors: [drop] }));
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [new Reader()] }));
  new AmbitInstrumentation(options);
}

/** Runs the server. It replies to each message with the CPU time that it has used. */
async function serve(variant) {
  variants[variant]();
  const { ambit } = require('ambit');
  const app = ambit();
  app.addHook('onRequest', (_request, _reply, done) => done());
  app.addHook('preHandler', async () => {});
  // Waiting for the end of a response costs the same for a logger, a hook or a trace. This variant shows the cost.
  if (variant === 'an onResponse hook') app.addHook('onResponse', (_request, _reply, done) => done());
  app.get('/notes/:id', async ({ params }) => ({ id: params.id, text: 'hello' }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send(user + system);
  });
  process.send(app.addresses()[0].port);
}

async function sendRequests(port, agent, count) {
  for (let i = 0; i < count; i++) {
    const outgoing = request({
      port,
      agent,
      host: '127.0.0.1',
      path: `/notes/${i}`,
      headers: { traceparent },
    }).end();
    const [response] = await once(outgoing, 'response');
    response.resume();
    await once(response, 'end');
  }
}

/** Microseconds of CPU time for each request. */
async function measure(variant) {
  const child = spawn(process.execPath, [program, '0', variant], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [port] = await once(child, 'message');
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const run = () =>
    Promise.all(
      Array.from({ length: connections }, () => sendRequests(port, agent, requestCount / connections)),
    );
  const usage = async () => {
    child.send('usage');
    return (await once(child, 'message'))[0];
  };
  await run();
  const before = await usage();
  await run();
  const after = await usage();
  agent.destroy();
  child.kill();
  await once(child, 'exit');
  return (after - before) / requestCount;
}

const variant = process.argv[3];
if (variant !== undefined) await serve(variant);
else {
  const samples = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const name of Object.keys(variants)) samples[name].push(await measure(name));
  const base = median(samples.nothing);
  for (const [name, values] of Object.entries(samples)) {
    const middle = median(values);
    const range = `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`;
    const more = name === 'nothing' ? '' : `, ${(middle - base).toFixed(1)} more`;
    console.log(`${name}: ${middle.toFixed(1)} µs (${range})${more}`);
  }
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
