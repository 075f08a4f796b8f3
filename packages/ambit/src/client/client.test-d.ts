/** What `inject` and the client know of an application whose declarations are chained. */
import { ambit } from '../index.ts';
import { client } from './client.ts';

/** Compiles only where both types are the same. */
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
  // @ts-expect-error: a name is text.
  api.post('/users', { body: { name: 1 } });
  // @ts-expect-error: the query is checked, too.
  app.inject.post('/users', { body: { name: 'ada' }, query: { notify: 'perhaps' } });
  if (found.status === 200) {
    // @ts-expect-error: that is the body of the other status.
    found.body.problem;
  }
}
void use;
