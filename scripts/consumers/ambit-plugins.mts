// Compiles the types of published plugins without an installed package named `fastify`.
import bearerAuth from '@fastify/bearer-auth';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import websocket from '@fastify/websocket';
import { ambit } from 'ambit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';

// An application can use what a plugin declares for `fastify`.
declare module 'ambit' {
  interface Request extends Pick<FastifyRequest, 'cookies'> {}
  interface Reply extends Pick<FastifyReply, 'setCookie'> {}
}

const app = ambit();
app.register(cors, { origin: true });
app.register(bearerAuth, { keys: ['secret'], addHook: false, prefix: '/v1' });
app.register(cookie, { secret: 'secret' });
app.register(websocket, { preClose: (done) => done() });
// @ts-expect-error: an origin is a string, a pattern or a function.
app.register(cors, { origin: 1 });
// @ts-expect-error: the option is `origin`.
app.register(cors, { orgin: true });
app.register(
  fastifyPlugin(async (instance) => {
    instance.get('/plugin', (request, reply) => reply.setCookie('seen', String(request.cookies.seen)));
  }),
);
app.get('/', (request, reply) =>
  reply
    .setCookie('seen', request.cookies.seen ?? 'never')
    .code(200)
    .send(),
);

// @ts-expect-error: there are only types.
import { fastify } from 'fastify';

export { fastify };
