// Each path makes an application that a worker cannot run, and answers with the error.
import { ambit, closeOnSignals, replyTo } from 'ambit';

/** Boots an application with a plugin that uses what workers do not have. */
const bootWith = (name, use) =>
  ambit()
    .register(Object.assign(async (app) => use(app), { [Symbol.for('fastify.display-name')]: name }))
    .ready();

/** The error of a route that uses a member of `request.raw` which needs a connection. */
async function useSocket() {
  const app = ambit();
  let failure;
  app.setErrorHandler((error, _request, reply) => {
    failure = error;
    return reply.send('failed');
  });
  const sockets = async (context) =>
    context.get('/', ({ raw }) => ({ certificate: raw.socket.getPeerCertificate() }));
  app.register(Object.assign(sockets, { [Symbol.for('fastify.display-name')]: 'sockets' }));
  await app.fetch(new Request('http://localhost/'));
  throw failure;
}

const schema = { body: { type: 'object', properties: { a: { type: 'integer' } } } };
const cases = {
  '/logger': () => ambit({ logger: true }),
  '/http': () => ambit({ http: {} }),
  '/https': () => ambit({ https: {} }),
  '/http2': () => ambit({ http2: true }),
  '/engine': () => ambit({ engine: 'node' }),
  '/serverFactory': () => ambit({ serverFactory: () => {} }),
  '/clientErrorHandler': () => ambit({ clientErrorHandler: () => {} }),
  '/connectionTimeout': () => ambit({ connectionTimeout: 1000 }),
  '/headersTimeout': () => ambit({ headersTimeout: 1000 }),
  '/keepAliveTimeout': () => ambit({ keepAliveTimeout: 1000 }),
  '/requestTimeout': () => ambit({ requestTimeout: 1000 }),
  '/maxRequestsPerSocket': () => ambit({ maxRequestsPerSocket: 1 }),
  '/forceCloseConnections': () => ambit({ forceCloseConnections: true }),
  '/listen': () => ambit().listen({ port: 3000 }),
  '/inject': () => ambit().inject('/'),
  '/overload': () => ambit({ overload: true }),
  '/setOverload': () => bootWith('limits', (app) => app.setOverload({ maxLimit: 20 })),
  '/routing': () => ambit().routing({}, {}),
  '/replyTo': () => replyTo(ambit(), {}, {}),
  '/raw': useSocket,
  '/signals': () => closeOnSignals(ambit()),
  '/upgrade': () => bootWith('sockets', ({ server }) => server.on('upgrade', () => {})),
  '/request': () => bootWith('sockets', ({ server }) => server.on('request', () => {})),
  '/connection': () => bootWith('sockets', ({ server }) => server.on('connection', () => {})),
  '/prepended': () => bootWith('sockets', ({ server }) => server.prependListener('upgrade', () => {})),
  '/setTimeout': () => bootWith('limits', ({ server }) => server.setTimeout(1000)),
  '/compile': () =>
    ambit({ routerOptions: { compile: true } })
      .get('/notes', () => 'never')
      .ready(),
  '/schema': () =>
    ambit()
      .post('/notes', { schema }, () => 'never')
      .ready(),
};

export default {
  async fetch(request) {
    try {
      await cases[new URL(request.url).pathname]();
      return new Response('no error');
    } catch ({ code, message, where }) {
      return Response.json({ code, message, plugin: where?.plugin, line: where?.file });
    }
  },
};
