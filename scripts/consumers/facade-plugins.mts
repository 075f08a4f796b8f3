// Compiles the published declarations of plugins with those of the facade: the types must contain what each plugin adds. The
// tests of the ecosystem compile what plugins add to requests and replies, too, but with `skipLibCheck`.
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
import { type TypeBoxTypeProvider, TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import websocket from '@fastify/websocket';
import { type FastifyInstance, fastify } from 'fastify';
import type { preCloseHookHandler } from 'fastify/types/hooks';
import type { FastifyReply } from 'fastify/types/reply.js';
import { Type } from 'typebox';

const closing: preCloseHookHandler = (done) => done();
export const app = fastify()
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

const limited = {
  config: { rateLimit: { max: 1 } },
  helmet: false,
  schema: { tags: ['notes'], hide: true },
} as const;
app.get('/', { ...limited, onRequest: app.verifyBearerAuth! }, async function (request, reply) {
  const session: string | undefined = request.cookies.session;
  if (session === undefined) throw this.httpErrors.notFound();
  await request.jwtVerify();
  const part = await request.file();
  reply.setCookie('token', await reply.jwtSign({ session }), { signed: true });
  return part === undefined ? reply.badRequest() : reply.sendFile(part.filename);
});
app.get('/live', { websocket: true }, (socket, request) => {
  if (request.ws) socket.send(String(app.swagger()));
});
// @ts-expect-error: no plugin added this.
app.get('/session', (request) => request.session);

const schema = { body: Type.Object({ size: Type.Number() }), response: { 200: Type.String() } };
const typed = app.withTypeProvider<TypeBoxTypeProvider>().setValidatorCompiler(TypeBoxValidatorCompiler);
typed.post('/sizes', { schema }, ({ body }, reply) => {
  // @ts-expect-error: the schema says text.
  reply.code(200).send(body.size);
  reply.code(200).send(body.size.toFixed());
});

export const take = (instance: FastifyInstance, reply: FastifyReply) =>
  reply.clearCookie('token').send(instance.httpErrors.imateapot());
take(typed, {} as FastifyReply);
