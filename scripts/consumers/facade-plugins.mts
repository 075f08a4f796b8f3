// Compiles the published declarations of plugins, themselves too (`skipLibCheck: false`), with those of the facade. The tests of the
// ecosystem compile what plugins add to requests and replies.
import bearerAuth from '@fastify/bearer-auth';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import formbody from '@fastify/formbody';
import helmet from '@fastify/helmet';
import jwt from '@fastify/jwt';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import sensible from '@fastify/sensible';
import files from '@fastify/static';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import websocket from '@fastify/websocket';
import { fastify } from 'fastify';
import type { preCloseHookHandler } from 'fastify/types/hooks';
import type { FastifyReply } from 'fastify/types/reply.js';

const closing: preCloseHookHandler = (done) => done();
export const app = fastify()
  .withTypeProvider<TypeBoxTypeProvider>()
  .register(bearerAuth, { keys: new Set(['key']), addHook: false })
  .register(cookie, { secret: 'secret' })
  .register(cors, { origin: ['https://example.com'] })
  .register(formbody, { bodyLimit: 1 })
  .register(helmet, { global: false })
  .register(jwt, { secret: 'secret' })
  .register(multipart, { limits: { fileSize: 1 } })
  .register(rateLimit, { max: 1, timeWindow: '1 minute' })
  .register(sensible)
  .register(files, { root: '/' })
  .register(swagger, { openapi: { info: { title: 'Notes', version: '1' } } })
  .register(swaggerUi, { routePrefix: '/docs' })
  .register(websocket, { preClose: closing });
// @ts-expect-error: the secret of cookies is text.
app.register(cookie, { secret: 1 });
// @ts-expect-error: no plugin added this.
app.get('/session', (request) => request.session);
export const take = (reply: FastifyReply) => reply.clearCookie('token').send();
