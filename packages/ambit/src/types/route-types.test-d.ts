/** The types that a handler gets from a path and a schema literal, without `as const` and without type arguments. */
import { Readable } from 'node:stream';
import { ambit, type ValidationProblem } from '../index.ts';
import type { Sendable } from './handler-result.ts';
import type { Reply } from './reply.ts';
import type { PayloadOf, StatusOf } from './route-types.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function expect<_Claim extends true>(): void;

const app = ambit()
  .decorateRequest('session', 'none')
  .addSchema({ $id: 'user', type: 'object', required: ['id'], properties: { id: { type: 'integer' } } });

// -------------------------------------------------------------------------------------------- schema and handler in one

app.post('/users/:id/:tab', {
  schema: {
    params: { id: { type: 'integer' } },
    query: { page: { type: 'integer', default: 1 }, q: { type: 'string' } },
    headers: { type: 'object', required: ['X-Tenant'], properties: { 'X-Tenant': { type: 'integer' } } },
    body: {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' }, default: [] },
      },
    },
  },
  onRequest: async (request) => {
    expect<Same<typeof request.body, unknown>>();
    expect<Same<typeof request.session, string>>();
  },
  preHandler: (request, _reply, done) => {
    expect<Same<typeof request.body, { name: string; tags: string[] }>>();
    done();
  },
  handler(request, reply) {
    // A parameter of the path is always present, even if the schema does not require it.
    expect<Same<typeof request.params.id, number>>();
    expect<Same<typeof request.query, { page: number; q?: string }>>();
    expect<Same<typeof request.body, { name: string; tags: string[] }>>();
    expect<Same<(typeof request.headers)['x-tenant'], number>>();
    expect<Same<(typeof request.headers)['user-agent'], string | undefined>>();
    expect<Same<typeof request.session, string>>();
    // @ts-expect-error: the body has no such property; "name" is offered instead.
    request.body.nam;
    // Without response schemas, anything may be sent.
    reply.code(418).send();
    return reply.send({ any: 'thing' });
  },
});

// ---------------------------------------------------------------------------------------- the handler as an argument

app.post('/users/:id', (request) => {
  expect<Same<typeof request.params, { id: string }>>();
  expect<Same<typeof request.body, unknown>>();
});
app.post('/users', { schema: { body: { $ref: 'user#' } } }, async (request) => {
  expect<Same<typeof request.body, { id: number }>>();
  return request.body;
});
app.post<{ Body: { q: string }; Reply: number }>('/typed/by/hand', (request, reply) => {
  expect<Same<typeof request.body, { q: string }>>();
  // @ts-expect-error: the reply was said to be a number.
  reply.send('text');
  return 1;
});

// ------------------------------------------------------------------------------------------------------------- replies

app.post('/replies', {
  schema: {
    response: {
      201: { $ref: 'user#' },
      '2xx': { at: { type: 'string', format: 'date-time' } },
      404: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
      204: { type: 'null' },
    },
  },
  handler(_request, reply) {
    reply.code(201).header('x-a', 'b').send({ id: 1 });
    reply.code(202).send({ at: new Date() });
    reply.code(204).send();
    // @ts-expect-error: 418 is not declared.
    reply.code(418);
    // The compiler marks the property that is wrong.
    reply.code(201).send({
      // @ts-expect-error: the id is a number.
      id: 'x',
    });
    // @ts-expect-error: a payload of 404 is not one of 201.
    reply.code(201).send({ message: 'x' });
    // @ts-expect-error: nothing is no payload of 404.
    reply.code(404).send();
    // Properties that the serializer drops are allowed; only literals must have declared properties.
    const wide = { message: 'gone', stack: 'secret' };
    return reply.code(404).send(wide);
  },
});
app.post('/result', {
  schema: {
    response: { '2xx': { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } },
  },
  handler: async (_request, reply) => {
    if (reply.sent) return reply.send({ id: 1n });
    return { id: 1 };
  },
});
app.get('/wrong-result', {
  schema: {
    response: { 200: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } },
  },
  handler: () => ({
    // @ts-expect-error: the id is a number; so it is marked in what is returned.
    id: 'x',
  }),
});
app.post(
  '/undeclared-result',
  { schema: { response: { 404: { type: 'string' } } } },
  // @ts-expect-error: a returned value is sent with 200, which is not declared.
  () => ({ id: 1 }),
);
app.post('/default', {
  schema: {
    response: {
      200: { type: 'string' },
      default: { type: 'object', properties: { error: { type: 'string' } } },
    },
  },
  handler: (_request, reply) => {
    reply.code(503).send({ error: 'busy' });
    // @ts-expect-error: 200 has an entry of its own.
    reply.code(200).send({ error: 'busy' });
    return 'fine';
  },
});

// ------------------------------------------------------------------------------------------------- what may be returned

const note = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const;
const owner = {
  type: 'object',
  properties: { id: { type: 'integer' }, place: { type: 'object', properties: { x: { type: 'integer' } } } },
  required: ['id'],
} as const;

app.post('/code/then/return', {
  schema: { response: { 201: note } },
  handler: async (_request, reply) => {
    reply.code(201);
    return { text: 'x' };
  },
});
app.post('/either', {
  schema: { response: { 200: note, 201: owner, 404: { problem: { type: 'string' } } } },
  handler: async (request, reply) => {
    if (request.is404) return { text: 'x' };
    reply.code(201);
    return { id: 1 };
  },
});
app.post('/default/is/200', {
  schema: { response: { 201: note, default: owner } },
  handler: async () => ({ id: 1 }),
});
app.post('/failure', {
  schema: { response: { 200: note, 404: owner } },
  // @ts-expect-error: the payload of 404 is sent, not returned.
  handler: () => ({ id: 1 }),
});
app.post(
  '/only/failures',
  { schema: { response: { 404: owner } } },
  // @ts-expect-error: the text of an error names what is declared.
  () => ({ text: 'x' }),
);
const withTeapot = ambit().decorateReply('teapot', function (text: string) {
  return this.code(418).send(text);
});
const noteOrRedirect = { response: { 200: note, 302: { type: 'null' } } } as const;
withTeapot.get('/redirect', { schema: noteOrRedirect }, (_request, reply) => reply.redirect('/x'));
withTeapot.get('/not-found', { schema: noteOrRedirect }, (_request, reply) => reply.callNotFound());
withTeapot.get('/hijack', { schema: noteOrRedirect }, (_request, reply) => reply.hijack());
withTeapot.get('/decorator', { schema: noteOrRedirect }, (_request, reply) => reply.teapot('short'));
withTeapot.get('/chain', { schema: noteOrRedirect }, (_request, reply) => {
  // @ts-expect-error: what comes after is held to the schema.
  return reply.hijack().send({ text: 1 });
});

app.get('/errors', { schema: { response: { 200: note } } }, (_request, reply) => {
  reply.send(new Error('broken'));
  reply.send(Buffer.from('bytes'));
  reply.send(Readable.from([]));
  reply.send(new Response('text'));
  return new Error('broken');
});
app.get('/bytes', { schema: { response: { 200: note } } }, async () => Buffer.from('bytes'));
app.get('/stream', { schema: { response: { 200: note } } }, async () => Readable.from([]));

app.get('/more', { schema: { response: { 200: owner } } }, (_request, reply) => {
  reply.send({ id: 1, place: { x: 1, y: 2 }, dropped: true });
  // @ts-expect-error: a declared property is held to its type all the same.
  reply.send({ id: 1, place: { x: '1', y: 2 }, dropped: true });
  return { id: 1, dropped: true };
});
app.get('/assigned', { schema: { response: { 200: note } } }, (_request, reply) => {
  expect<Same<typeof reply.statusCode, number>>();
  // @ts-expect-error: 404 is not declared.
  reply.statusCode = 404;
  return { text: 'x' };
});
app.post('/unknown', (request, reply) => reply.send(request.body));

// ---------------------------------------------------------------------------------------------- types said by hand

app.get<{ Reply: { ok: boolean } }>('/object', () => ({ ok: true }));
app.get<{ Reply: { ok: boolean }[] }>('/array', async () => [{ ok: true }]);
app.get<{ Reply: { ok: boolean } }>('/any/status', (_request, reply) => reply.code(503).send({ ok: false }));
// @ts-expect-error: a number is no boolean.
app.get<{ Reply: { ok: boolean } }>('/wrong', () => ({ ok: 1 }));

// -------------------------------------------------------------------------------------------------- one entry a status

type Named = { 200: 'exact'; '2xx': 'class'; '4XX': 'upper'; default: 'rest' };
expect<Same<EntryOfStatus<200>, 'exact'>>();
expect<Same<EntryOfStatus<201>, 'class'>>();
expect<Same<EntryOfStatus<404>, 'upper'>>();
expect<Same<EntryOfStatus<500>, 'rest'>>();
type EntryOfStatus<Status extends number> = PayloadOf<
  { [Key in keyof Named]: { const: Named[Key] } },
  Status,
  unknown
>;
expect<Same<StatusOf<{ 200: true; '404': true }>, 200 | 404>>();
expect<Same<StatusOf<{ 200: true; default: true }>, number>>();
expect<Same<StatusOf<unknown>, number>>();
expect<Same<PayloadOf<{ 404: true }, 200, unknown>, never>>();

// ------------------------------------------------------------------------------------------- what is sent and returned

declare function send(payload: Sendable<unknown>): void;
send();
send(new Date());
send(JSON.parse('1') as unknown);

// A missing handler is an error, and so is a second one.
// @ts-expect-error: nothing answers.
app.get('/', { schema: {} });
// @ts-expect-error: two handlers.
app.get('/', { handler: () => 1 }, () => 1);
// The result of a helper may be sent.
function answer(reply: Reply): unknown {
  return reply.send({});
}
app.get('/', { schema: { response: { 200: { type: 'string' } } } }, (_request, reply) => void answer(reply));

// ------------------------------------------------------------------------------------------------ errors, and validators

app.setErrorHandler((error, request) => {
  expect<Same<typeof error.validation, ValidationProblem[] | undefined>>();
  expect<Same<NonNullable<typeof request.validationError>['validation'], ValidationProblem[] | undefined>>();
});
interface ForeignSchema {
  validate(data: unknown): { value: unknown };
}
const compileForeign =
  ({ schema }: { schema: ForeignSchema }) =>
  (data: unknown) =>
    schema.validate(data);
app.post('/foreign', { schema: { body: {} }, validatorCompiler: compileForeign, handler: () => 'ok' });
app.setValidatorCompiler(compileForeign);

// ----------------------------------------------------------------------------------- schemas that the compiler cannot read

const widened: object = {};
app.get(
  '/widened/:id',
  { schema: { params: widened, querystring: widened, headers: widened } },
  (request) => {
    expect<Same<typeof request.params, unknown>>();
    expect<Same<typeof request.query, unknown>>();
  },
);
// A query is always an object; a body may be anything.
const untyped = { properties: { a: { type: 'string' } }, required: ['a'] } as const;
app.post('/untyped', { schema: { querystring: untyped, body: untyped } }, (request) => {
  expect<Same<typeof request.query, { a: string }>>();
  expect<Same<typeof request.body, unknown>>();
});
interface OwnSchema {
  body: object;
  response?: Record<string, object>;
}
declare const ownSchema: OwnSchema;
for (const schema of [ownSchema, widened]) {
  app.post('/schema-of-a-variable', { schema }, (request) => {
    expect<Same<typeof request.body, unknown>>();
    request.body;
  });
}

// --------------------------------------------------------------------------------------- what a schema may say besides

app.get('/documented', {
  schema: {
    tags: ['notes'],
    summary: 'Lists notes',
    description: 'All of them.',
    operationId: 'listNotes',
    security: [{ key: [] }, {}],
    deprecated: false,
    hide: true,
    externalDocs: { url: 'https://example.com', description: 'More' },
    consumes: ['application/json'],
    produces: ['application/json'],
    'x-cost': 2,
    querystring: { page: { type: 'integer' } },
  },
  handler: ({ query }) => expect<Same<typeof query.page, number | undefined>>(),
});
const documented = { tags: ['notes'], 'x-cost': 2, response: { 200: { type: 'string' } } } as const;
app.get('/documented/variable', { schema: documented }, () => 'x');

// ------------------------------------------------------------------------------- results that the compiler knows little of

const anything = JSON.parse('{}');
app.get('/any', { schema: { response: { 200: note } } }, () => anything);
app.get('/any/later', { schema: { response: { 200: note } } }, async () => anything);
app.get('/throws', { schema: { response: { 200: note } } }, () => {
  throw new Error('broken');
});
app.get('/either', { schema: { response: { 200: note } } }, (request) =>
  request.is404 ? { text: 'x' } : Promise.resolve({ text: 'y' }),
);
app.get('/literals', { schema: { response: { 200: { kind: { enum: ['a', 'b'] } } } } }, async () => {
  return { kind: 'a' };
});
// @ts-expect-error: neither is declared.
app.get('/literals', { schema: { response: { 200: { kind: { enum: ['a', 'b'] } } } } }, async () => {
  return { kind: 'c' };
});
