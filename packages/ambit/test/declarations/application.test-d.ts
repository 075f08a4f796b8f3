/** What is left of an application's types in its emitted declarations: all of them. */
import { ambit } from 'ambit';
import { client } from 'ambit/client';
import { type App, app, awaited, build, notes, plain, store, withStore, written } from './application.ts';

/** Compiles only where both types are the same. */
declare function same<Expected>(): <Actual>(
  actual: Actual,
  ...proof: (<T>() => T extends Actual ? 1 : 2) extends <T>() => T extends Expected ? 1 : 2 ? [] : [never]
) => void;

same<number>()(app.clock());
same<number>()(app.later(1));
app.get('/', (request, reply) => {
  same<{ name: string } | null>()(request.user);
  same<number>()(request.server.later(1));
  return reply.teapot('short');
});
app.post('/', { schema: { body: { $ref: 'user#' } } }, ({ body }) => same<string>()(body.name));
app.inject.post('/users', { body: { name: 'ada' } });
app.inject.get('/v1/free');
// @ts-expect-error: there is no such route.
app.inject.get('/free', {});

const api = client<App>('http://localhost');
void api.get('/users/:id', { params: { id: 1 } }).then((reply) => {
  if (reply.status === 200) same<string>()(reply.body.name);
});
// @ts-expect-error: a name is text.
api.post('/users', { body: { name: 1 } });

same<Map<string, string>>()(withStore.store);
same<Map<string, string>>()(awaited.store);
withStore.register(notes, { prefix: '/v1' }).inject.get('/v1/notes');
same<Map<string, string>>()(ambit().register(store, { size: 1 }).store);
// @ts-expect-error: there is no store here.
ambit().register(notes);
// @ts-expect-error: there is no `db` here.
ambit().register(written);
ambit().register(plain).inject.get('/plain');
void build().then((built) => {
  same<Map<string, string>>()(built.store);
  built.inject.get('/v1/notes');
});
