// Each path makes an application that a worker cannot run, and answers with the error.
import { ambit } from 'ambit';

const schema = { body: { type: 'object', properties: { a: { type: 'integer' } } } };
const cases = {
  '/logger': () => ambit({ logger: true }),
  '/https': () => ambit({ https: {} }),
  '/listen': () => ambit().listen({ port: 3000 }),
  '/inject': () => ambit().inject('/'),
  '/upgrade': () =>
    ambit()
      .register(async function sockets(app) {
        app.server.on('upgrade', () => {});
      })
      .ready(),
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
      return Response.json({ code, message, plugin: where?.plugin });
    }
  },
};
