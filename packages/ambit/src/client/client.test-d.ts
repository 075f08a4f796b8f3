/** The types that `inject` and the client know about an application whose declarations are chained. */
import { z } from 'zod';
import { ambit } from '../index.ts';
import { client, isProblem, type ProblemDetails } from './client.ts';

/** Compiles only if both types are the same. */
declare function same<Expected>(): <Actual>(
  actual: Actual,
  ...proof: (<T>() => T extends Actual ? 1 : 2) extends <T>() => T extends Expected ? 1 : 2 ? [] : [never]
) => void;

const user = {
  $id: 'user',
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
  required: ['id', 'name'],
} as const;

const app = ambit()
  .addSchema(user)
  .get(
    '/users/:id',
    { schema: { response: { 200: { $ref: 'user#' }, 404: { problem: { type: 'string' } } } } },
    (request, reply) =>
      request.params.id === '1' ? { id: 1, name: 'ada' } : reply.code(404).send({ problem: 'none' }),
  )
  .post(
    '/users',
    {
      schema: {
        body: {
          type: 'object',
          properties: { name: { type: 'string' }, age: { type: 'integer', default: 0 } },
          required: ['name'],
        },
        querystring: { notify: { type: 'boolean' } },
        response: { 201: { $ref: 'user#' } },
      },
    },
    (request, reply) => reply.code(201).send({ id: request.body.age, name: request.body.name }),
  )
  .register(async (child) => child.get('/free', () => 'free'), { prefix: '/v1' })
  .delete('/users/:id', (_request, reply) => reply.code(204).send());

const api = client<typeof app>('http://localhost');
async function use(): Promise<void> {
  app.inject.post('/users', { body: { name: 'ada' }, query: { notify: true } });
  api.post('/users', { body: { name: 'ada' }, query: { notify: true } });
  const found = await api.get('/users/:id', { params: { id: 1 } });
  if (found.status === 200) {
    same<number>()(found.body.id);
    same<string>()(found.body.name);
  } else if (found.status === 404) {
    same<string | undefined>()(found.body.problem);
  } else {
    same<unknown>()(found.body);
  }
  const made = await app.inject.post('/users', { body: { name: 'ada', age: 1 } });
  if (made.statusCode === 201) same<string>()(made.json().name);
  same<unknown>()((await api.get('/v1/free')).body);
  await api.delete('/users/:id', { params: { id: '1' } });

  // @ts-expect-error: no such route.
  api.get('/nowhere');
  // @ts-expect-error: no such method on that path.
  api.post('/users/:id', { params: { id: 1 } });
  // @ts-expect-error: the parameter has to be given.
  api.get('/users/:id');
  // @ts-expect-error: the body has to be given.
  api.post('/users');
  // The compiler marks the property that is wrong.
  api.post('/users', {
    body: {
      // @ts-expect-error: a name is text.
      name: 1,
    },
  });
  app.inject.post('/users', {
    body: {
      // @ts-expect-error: a name is text.
      name: 1,
    },
  });
  // @ts-expect-error: the query is checked, too.
  app.inject.post('/users', { body: { name: 'ada' }, query: { notify: 'perhaps' } });
  if (found.status === 200) {
    // @ts-expect-error: that is the body of the other status.
    found.body.problem;
  }
}
void use;

// ---------------------------------------------------------------------------------------- what a call brings, and gets

const failure = {
  type: 'object',
  properties: { problem: { type: 'string' } },
  required: ['problem'],
} as const;
const named = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
const calls = ambit()
  .get('/optional/:a/:b?', () => 'ok')
  .get('/default', { schema: { response: { 200: named, default: failure } } }, () => ({ name: 'ada' }))
  .get('/class', { schema: { response: { 200: named, '2xx': failure } } }, () => ({ name: 'ada' }))
  .post('/text', { schema: { body: { type: 'string' } } }, () => 'ok')
  .post(
    '/form',
    { schema: { body: { content: { 'application/x-www-form-urlencoded': { schema: named } } } } },
    () => 'ok',
  )
  .get('/empty', { schema: { response: { 200: { type: 'string' }, 204: { type: 'null' } } } }, () => 'ok')
  .get('/null', { schema: { response: { 200: { type: ['null', 'integer'] } } } }, () => null)
  .get(
    '/headers',
    {
      schema: {
        headers: {
          type: 'object',
          properties: { 'X-Tenant': { type: 'string' }, 'x-page': { type: 'integer' } },
          required: ['X-Tenant'],
        },
      },
    },
    () => 'ok',
  );
const remote = client<typeof calls>('http://localhost');
async function call(): Promise<void> {
  await remote.get('/optional/:a/:b?', { params: { a: 'x' } });
  await remote.get('/optional/:a/:b?', { params: { a: 'x', b: 1 } });
  // @ts-expect-error: the first one has to be given.
  await remote.get('/optional/:a/:b?', { params: { b: 'x' } });

  const byDefault = await remote.get('/default');
  if (byDefault.status === 200) same<{ name: string }>()(byDefault.body);
  else same<{ problem: string }>()(byDefault.body);
  const byClass = await remote.get('/class');
  if (byClass.status === 200) same<{ name: string }>()(byClass.body);
  if (byClass.status === 201) same<{ problem: string }>()(byClass.body);

  // @ts-expect-error: text goes as text/plain, which the route does not take.
  await remote.post('/text', { body: 'x' });
  await remote.post('/text', { body: 'x', headers: { 'content-type': 'application/json' } });
  await calls.inject.post('/text', { body: 'x', headers: { 'Content-Type': 'application/json' } });
  // @ts-expect-error: an object goes as JSON, which the route does not take.
  await remote.post('/form', { body: { name: 'ada' } });
  await remote.post('/form', { body: new URLSearchParams({ name: 'ada' }) });
  await remote.post('/form', {
    body: 'name=ada',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

  const injected = await calls.inject.get('/empty');
  if (injected.statusCode === 200) same<never>()(injected.json());
  if (injected.statusCode === 204) same<never>()(injected.json());
  const empty = await remote.get('/empty');
  if (empty.status === 200) same<string>()(empty.body);
  if (empty.status === 204) same<undefined>()(empty.body);
  const nothing = await remote.get('/null');
  if (nothing.status === 200) same<number | null | undefined>()(nothing.body);

  await remote.get('/headers', { headers: { 'X-Tenant': 'a', 'x-other': 1 } });
  await remote.get('/headers', { headers: { 'x-tenant': 'a' } });
  // @ts-expect-error: it has to be given, in one case or the other.
  await remote.get('/headers', { headers: { 'x-page': 1 } });
  // @ts-expect-error: a tenant is text, in lower case too.
  await remote.get('/headers', { headers: { 'x-tenant': 1 } });

  same<undefined>()((await remote.head('/empty')).body);
  await calls.inject.head('/optional/:a/:b?', { params: { a: 'x' } });
  await calls.inject.get(
    // @ts-expect-error: the error is at the path, not at the number of arguments.
    '/nowhere',
  );
}
void call;

// The body of an error status that the route does not declare has the type that the caller passes.
const problems = client<typeof app, ProblemDetails>('http://localhost');
const answer = await problems.get('/users/:id', { params: { id: '1' } });
if (answer.status === 500) same<ProblemDetails>()(answer.body);
if (answer.status === 404) same<string | undefined>()(answer.body.problem);
const unknownFailure = await client<typeof app>('http://localhost').get('/users/:id', {
  params: { id: '1' },
});
if (unknownFailure.status === 500) same<unknown>()(unknownFailure.body);
if (isProblem(unknownFailure)) same<string | undefined>()(unknownFailure.body.detail as string | undefined);

// -------------------------------------------------------------------------------------------- what JSON and a query carry

const carried = ambit()
  .get(
    '/dates',
    {
      schema: {
        response: {
          200: z.object({ since: z.date(), days: z.array(z.date()) }),
          201: {
            type: 'object',
            required: ['at'],
            properties: { at: { type: 'string', format: 'date-time' } },
          },
          202: z.bigint(),
          203: { content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } } },
        },
      },
    },
    () => ({ since: new Date(), days: [] }),
  )
  .get(
    '/search',
    {
      schema: {
        querystring: z.object({
          since: z.coerce.date<Date>(),
          days: z.array(z.coerce.date<Date>()),
          size: z.coerce.bigint<bigint>().optional(),
          text: z.string().nullable(),
        }),
      },
    },
    () => 'ok',
  )
  .get('/filter', { schema: { querystring: z.object({ filter: z.object({ a: z.string() }) }) } }, () => 'ok')
  .get(
    '/page',
    {
      schema: {
        querystring: { page: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } } },
      },
    },
    () => 'ok',
  );
const carrier = client<typeof carried>('http://localhost');
async function carry(): Promise<void> {
  const reply = await carrier.get('/dates');
  if (reply.status === 200) same<{ since: string; days: string[] }>()(reply.body);
  if (reply.status === 201) same<{ at: string }>()(reply.body);
  if (reply.status === 202) same<never>()(reply.body);
  if (reply.status === 203) same<Blob>()(reply.body);
  const injected = await carried.inject.get('/dates');
  if (injected.statusCode === 200) same<{ since: string; days: string[] }>()(injected.json());
  if (injected.statusCode === 201) same<{ at: string }>()(injected.json());
  if (injected.statusCode === 203) same<never>()(injected.json());

  const query = { since: new Date(), days: [new Date()], text: '' };
  await carrier.get('/search', { query });
  await carrier.get('/search', { query: { ...query, size: 1n } });
  await carried.inject.get('/search', { query: { ...query, size: null } });
  // @ts-expect-error: `null` would be left out, but the schema requires the member.
  await carrier.get('/search', { query: { ...query, text: null } });
  // @ts-expect-error: a query has no objects.
  await carrier.get('/filter', { query: { filter: { a: 'a' } } });
  await carrier.get('/page', { query: { page: null, tags: ['a'] } });
  await carrier.get('/page', { query: { page: undefined, tags: null } });
  // @ts-expect-error: a page is a number.
  await carrier.get('/page', { query: { page: 'first' } });
  // @ts-expect-error: a tag is text.
  await carrier.get('/page', { query: { tags: [1] } });
}
void carry;
