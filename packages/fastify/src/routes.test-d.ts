/** The types of a route reach its handler: from type parameters, and from schemas through a type provider. */
import type {
  CloseOptions,
  MultipartOptions,
  OverloadOptions,
  RouteOverloadOptions,
  StreamOptions,
} from 'ambit';
import {
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
  type FastifyTypeProvider,
  fastify,
  type RouteHandlerMethod,
  type RouteShorthandOptions,
} from 'fastify';

/** Whether two types are the same, not just assignable. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function check<_Proof extends true>(): void {}

interface Note {
  Body: { title: string };
  Params: { id: string };
  Querystring: { full?: boolean };
  Headers: { 'X-Tenant': string };
  Reply: { 200: { id: string }; '4xx': { error: string } };
}

const app = fastify({ logger: true });

app.put<Note>('/notes/:id', (request, reply) => {
  check<Same<typeof request.body, { title: string }>>();
  check<Same<typeof request.query.full, boolean | undefined>>();
  check<Same<(typeof request.headers)['x-tenant'], string>>();
  reply.code(200).send({ id: request.params.id });
  reply.code(404).send({ error: 'not here' });
  // @ts-expect-error: the payload of a 200 has another type.
  reply.code(200).send({ error: 'not here' });
  // @ts-expect-error: the route does not respond with 500.
  reply.code(500);
});

// The request of a route without declared types has default types.
app.get('/', (request) => {
  check<Same<typeof request.body, unknown>>();
  check<Same<typeof request.query, unknown>>();
});

/** Takes `{ type: 'string' }` and `{ type: 'number' }`, and objects of them. */
interface ToyProvider extends FastifyTypeProvider {
  validator: Toy<this['schema']>;
  serializer: Toy<this['schema']>;
}
type Toy<Schema> = Schema extends { type: 'string' }
  ? string
  : Schema extends { type: 'number' }
    ? number
    : Schema extends { properties: infer Properties }
      ? { -readonly [Key in keyof Properties]: Toy<Properties[Key]> }
      : unknown;

const toys = app.withTypeProvider<ToyProvider>();
toys.post(
  '/toys/:id',
  {
    schema: {
      params: { properties: { id: { type: 'number' } } },
      body: { properties: { name: { type: 'string' } } },
      response: { 201: { properties: { id: { type: 'number' } } } },
    },
    preHandler: async (request) => {
      check<Same<typeof request.body, { name: string }>>();
    },
  },
  (request, reply) => {
    check<Same<typeof request.params, { id: number }>>();
    check<Same<typeof request.body, { name: string }>>();
    reply.code(201).send({ id: request.params.id });
    // @ts-expect-error: the schema of a 201 requires a number.
    reply.code(201).send({ id: 'one' });
  },
);
// @ts-expect-error: the returned value is checked, too.
toys.get('/toys', { schema: { response: { 200: { type: 'string' } } } }, async () => 1);

app.setErrorHandler<FastifyError>((error, _request, reply) => {
  reply
    .code(error.statusCode ?? 500)
    .send({ problems: error.validation?.length, part: error.validationContext });
});
app.setErrorHandler((error) => {
  check<Same<typeof error, unknown>>();
});

const handler: RouteHandlerMethod = async function (request, reply) {
  this.log.info(request.id);
  return reply.send();
};
const options: RouteShorthandOptions = { bodyLimit: 1, handlerTimeout: 1, onSend: [async () => {}] };
app.route({ method: ['GET', 'PATCH'], url: '/any', handler, ...options });
// Routes can stream items and read forms. Their options accept the same values as those of `ambit`.
app.get('/rows', { stream: { heartbeatMs: false, closeMs: 0 } }, async function* () {
  yield { id: 1 };
});
app.post('/files', { multipart: { files: 1 } }, ({ body }) => body);
check<Same<NonNullable<RouteShorthandOptions['stream']>, StreamOptions>>();
check<Same<NonNullable<RouteShorthandOptions['multipart']>, MultipartOptions>>();
check<Same<NonNullable<RouteShorthandOptions['overload']>, RouteOverloadOptions | false>>();
check<Same<Parameters<FastifyInstance['setOverload']>, [options: OverloadOptions | boolean]>>();
// Closing gracefully returns the number of requests that were ended early.
const inOrder: CloseOptions = { graceMs: 1, delayMs: 0 };
const closed = app.close(inOrder);
check<Same<typeof closed, Promise<number>>>();
// @ts-expect-error: the option does not exist.
app.close({ waitMs: 1 });
// @ts-expect-error: a number of milliseconds, or false.
app.get('/often', { stream: { heartbeatMs: true } }, handler);
// @ts-expect-error: the limit does not exist.
app.post('/one', { multipart: { file: 1 } }, handler);
// @ts-expect-error: the handler is missing.
app.route({ method: 'GET', url: '/none' });
// @ts-expect-error: the URL is missing.
app.route({ method: 'GET', handler });

// A typed request or instance can be used as an untyped one.
function trace(_request: FastifyRequest, _instance: FastifyInstance): void {}
toys.get('/traced', { schema: { querystring: { type: 'string' } } }, (request) => trace(request, toys));
