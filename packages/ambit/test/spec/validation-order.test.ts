/** Spec 6: `preHandler` is the place for asynchronous work after validation. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ambit } from 'ambit';
import { expect, test } from 'vitest';

const schema = {
  querystring: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
};

test('preHandler runs after validation: it sees coerced values', async () => {
  const app = ambit();
  const seen: unknown[] = [];
  app.addHook('preHandler', async (request) => {
    seen.push(request.query);
  });
  app.get('/', { schema }, () => 'done');
  await app.inject('/?count=3');
  expect(seen).toEqual([{ count: 3 }]);
});

test('preValidation runs before it: it sees what was sent', async () => {
  const app = ambit();
  const seen: unknown[] = [];
  app.addHook('preValidation', async (request) => {
    seen.push({ ...(request.query as object) });
  });
  app.get('/', { schema }, () => 'done');
  await app.inject('/?count=3');
  expect(seen).toEqual([{ count: '3' }]);
});

test('preHandler does not run when validation fails', async () => {
  const app = ambit();
  let runs = 0;
  app.addHook('preHandler', async () => {
    runs++;
  });
  app.get('/', { schema }, () => 'done');
  const response = await app.inject('/?count=many');
  expect(response.statusCode).toBe(400);
  expect(runs).toBe(0);
});

test('preHandler runs with the error at hand when attachValidation is true', async () => {
  const app = ambit();
  const seen: unknown[] = [];
  app.addHook('preHandler', async (request) => {
    seen.push(request.validationError?.validationContext);
  });
  app.get('/', { schema, attachValidation: true }, () => 'done');
  await app.inject('/?count=many');
  expect(seen).toEqual(['query']);
});

test('the handler waits for the asynchronous work of preHandler', async () => {
  const app = ambit();
  app.decorateRequest('user', null);
  app.addHook('preHandler', async (request) => {
    await nextTurn();
    request.setDecorator('user', 'ada');
  });
  app.get('/', (request) => ({ user: request.getDecorator('user') }));
  expect((await app.inject('/')).json()).toEqual({ user: 'ada' });
});

test('work that fails in preHandler answers with its error, and the handler does not run', async () => {
  const app = ambit();
  let runs = 0;
  app.addHook('preHandler', async () => {
    await nextTurn();
    throw Object.assign(new Error('no such user'), { statusCode: 403 });
  });
  app.get('/', () => {
    runs++;
    return 'done';
  });
  const response = await app.inject('/');
  expect(response.statusCode).toBe(403);
  expect(response.json()).toMatchObject({ message: 'no such user' });
  expect(runs).toBe(0);
});
