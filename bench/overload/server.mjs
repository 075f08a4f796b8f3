// Owns the servers of the overload benchmark: one handler, behind overload protection of different kinds.
import { createRequire } from 'node:module';
import { ambit } from 'ambit';
import fastify from 'fastify';

const workMs = 1;

/** @type {Record<string, () => Promise<any>>} */
const applications = {
  nothing: async () => ambit(),
  ambit: async () => ambit({ overload: true }),
  // The options of its documentation.
  'under-pressure': async () => {
    const require = createRequire(new URL('../../ecosystem/package.json', import.meta.url));
    const app = fastify();
    await app.register(require('@fastify/under-pressure'), {
      maxEventLoopDelay: 1_000,
      maxEventLoopUtilization: 0.98,
    });
    return app;
  },
};

/** Keeps the processor busy, as code of an application does. */
function work() {
  const endMs = performance.now() + workMs;
  while (performance.now() < endMs);
}

const app = await applications[process.argv[2]]();
app.get('/', async () => {
  work();
  // As after a query: others have their turn meanwhile.
  await new Promise(setImmediate);
  work();
  return { hello: 'world' };
});
await app.listen({ port: 0, host: '127.0.0.1' });
process.send(app.server.address().port);
process.on('disconnect', () => process.exit());
