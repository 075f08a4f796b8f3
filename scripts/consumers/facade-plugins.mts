// Compiles the published declarations of plugins with those of the facade: the types must contain what each plugin adds.
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

export const app = fastify();

await app.register(bearerAuth, { keys: new Set(['key']), addHook: false });
await app.register(cookie, { secret: 'secret' });
await app.register(cors, { origin: ['https://example.com'] });
await app.register(formbody, { bodyLimit: 1 });
await app.register(helmet, { global: false });
await app.register(jwt, { secret: 'secret' });
await app.register(multipart, { limits: { fileSize: 1 } });
await app.register(rateLimit, { max: 1, timeWindow: '1 minute' });
await app.register(sensible);
await app.register(files, { root: '/' });
await app.register(swagger, { openapi: { info: { title: 'Notes', version: '1' } } });
await app.register(swaggerUi, { routePrefix: '/docs' });
const closing: preCloseHookHandler = (done) => done();
await app.register(websocket, { preClose: closing });
// @ts-expect-error: the secret of cookies is text.
await app.register(cookie, { secret: 1 });

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
  if (request.ws) socket.send(request.cookies.session ?? '');
});
// @ts-expect-error: no plugin added this.
app.get('/session', (request) => request.session);
const document: { openapi?: string } = app.swagger() as { openapi?: string };
app.log.info(document.openapi);

const typed = app.withTypeProvider<TypeBoxTypeProvider>().setValidatorCompiler(TypeBoxValidatorCompiler);
const schema = { body: Type.Object({ size: Type.Number() }), response: { 200: Type.String() } };
typed.post('/sizes', { schema }, ({ body }, reply) => {
  const size: number = body.size;
  // @ts-expect-error: the schema says text.
  reply.code(200).send(size);
  // @ts-expect-error: the schema has no such property.
  body.weight;
  reply.code(200).send(size.toFixed());
});
function take(instance: FastifyInstance): (reply: FastifyReply) => void {
  instance.httpErrors.imateapot();
  return (reply) => reply.clearCookie('token');
}
take(app);
take(typed);
