// The servers of the overload benchmark: one handler, behind overload protection of different kinds.
import underPressure from '@fastify/under-pressure';
import { ambit } from 'ambit';
import fastify from 'fastify';

const workMs = 1;

/** @type {Record<string, () => Promise<any>>} */
const applications = {
  ambit: async () => ambit({ overload: true }),
  nothing: async () => ambit(),
  // The thresholds of its documentation. The default mode, `cumulative`, does not detect overload in a process that was idle for some time.
  'under-pressure': () =>
    fastifyWith({
      maxEventLoopDelay: 1_000,
      maxEventLoopUtilization: 0.98,
      eventLoopUtilizationMode: 'interval',
    }),
  // Tuned for this load: it detects overload ten times as fast, by a delay that does not occur under normal load.
  'under-pressure-tuned': () => fastifyWith({ maxEventLoopDelay: 50, sampleInterval: 100 }),
};

async function fastifyWith(pressureOptions) {
  const app = fastify();
  await app.register(underPressure, pressureOptions);
  return app;
}

/** Keeps the processor busy, as code of an application does. */
function work() {
  const endMs = performance.now() + workMs;
  while (performance.now() < endMs);
}

const app = await applications[process.argv[2]]();
app.get('/', async () => {
  work();
  // Other requests run in the meantime, as during a database query.
  await new Promise(setImmediate);
  work();
  return { hello: 'world' };
});
await app.listen({ port: 0, host: '127.0.0.1' });
process.send(app.server.address().port);
process.on('disconnect', () => process.exit());
