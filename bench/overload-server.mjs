// A server of the overload benchmark: one handler, behind overload protection of some kind.
import underPressure from '@fastify/under-pressure';
import { ambit } from 'ambit';
import fastify from 'fastify';

/** @type {Record<string, () => any>} */
const applications = {
  ambit: () => ambit({ overload: true }),
  nothing: () => ambit(),
  // The thresholds of its documentation. The default mode, `cumulative`, does not detect overload in a process that was idle for some time.
  'under-pressure': () =>
    fastify().register(underPressure, {
      maxEventLoopDelay: 1_000,
      maxEventLoopUtilization: 0.98,
      eventLoopUtilizationMode: 'interval',
    }),
  // Tuned for this load: it detects overload ten times as fast, by a delay that does not occur under normal load.
  'under-pressure-tuned': () =>
    fastify().register(underPressure, { maxEventLoopDelay: 50, sampleInterval: 100 }),
};

/** Keeps the processor busy for a millisecond, as code of an application does. */
function work() {
  const endMs = performance.now() + 1;
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
