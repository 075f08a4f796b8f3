/** Spec 4.10: schemas are code of the application; asynchronous work belongs after validation. */
import { ambit } from 'ambit';
import { describe, expect, test, vi } from 'vitest';
import { serve } from '../support/serve.ts';

const json = { 'content-type': 'application/json' };

describe('schemas are application code, compiled at boot', () => {
  test('all schemas of a route are compiled before the first request', async () => {
    const compiled: string[] = [];
    const app = ambit();
    app.setValidatorCompiler(({ httpPart }) => {
      compiled.push(httpPart!);
      return () => true;
    });
    app.setSerializerCompiler(({ httpStatus }) => {
      compiled.push(httpStatus!);
      return () => '';
    });
    app.post('/:id', { schema: { body: {}, params: {}, response: { 200: {} } } }, () => ({}));
    await app.ready();
    const atBoot = [...compiled];
    await app.inject({ method: 'POST', url: '/1', headers: json, body: '{}' });
    expect(atBoot.sort()).toEqual(['200', 'body', 'params']);
    expect(compiled).toHaveLength(3);
  });

  test('no schema can be added and no compiler set once the application serves', async () => {
    const app = ambit();
    await app.ready();
    const refusal = expect.objectContaining({ code: 'FST_ERR_INSTANCE_ALREADY_LISTENING' });
    expect(() => app.addSchema({ $id: 'late' })).toThrow(refusal);
    expect(() => app.setValidatorCompiler(() => () => true)).toThrow(refusal);
    expect(() => app.setSerializerCompiler(() => () => '')).toThrow(refusal);
    expect(() => app.setSchemaErrorFormatter(() => new Error())).toThrow(refusal);
  });

  test('a schema that changes after boot changes nothing', async () => {
    const body = { type: 'object', properties: { n: { type: 'integer', maximum: 5 } } };
    const app = ambit();
    app.post('/', { schema: { body } }, () => 'handled');
    await app.ready();
    body.properties.n.maximum = 100;
    const response = await app.inject({ method: 'POST', url: '/', headers: json, body: '{"n":6}' });
    expect(response.statusCode).toBe(400);
  });

  test('a shared schema that changes after it was added changes nothing', async () => {
    const shared = { $id: 'shared', type: 'object', properties: { n: { type: 'integer', maximum: 5 } } };
    const app = ambit();
    app.addSchema(shared);
    shared.properties.n.maximum = 100;
    app.post('/', { schema: { body: { $ref: 'shared#' } } }, () => 'handled');
    const response = await app.inject({ method: 'POST', url: '/', headers: json, body: '{"n":6}' });
    expect(response.statusCode).toBe(400);
  });

  test('data that looks like a schema is data', async () => {
    const app = ambit();
    const body = { type: 'object', properties: { schema: { type: 'object' } } };
    app.post('/', { schema: { body } }, (request) => request.body);
    const given = { schema: { $ref: 'file:///etc/passwd', type: 'nonsense', $async: true } };
    const response = await app.inject({
      method: 'POST',
      url: '/',
      headers: json,
      body: JSON.stringify(given),
    });
    expect([response.statusCode, response.json()]).toEqual([200, given]);
  });
});

describe('asynchronous work', () => {
  const $async = {
    $async: true,
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer', idExists: true } },
  };
  const make = () => {
    const app = ambit({
      ajv: {
        customOptions: {
          keywords: [
            { keyword: 'idExists', async: true, validate: async (_schema: unknown, id: number) => id === 7 },
          ],
        },
      },
    });
    const handler = vi.fn((request: { body: unknown }) => ({ body: request.body }));
    app.post('/', { schema: { body: $async } }, handler as never);
    return { app, handler };
  };
  const send = (origin: string, body: unknown) =>
    fetch(origin, { method: 'POST', headers: json, body: JSON.stringify(body) });

  test('an $async schema is awaited: one that passes reaches the handler', async () => {
    const { app } = make();
    const response = await send(await serve(app), { id: '7' });
    expect([response.status, await response.json()]).toEqual([200, { body: { id: 7 } }]);
  });

  for (const body of [{ id: 8 }, {}, { id: 'x' }]) {
    test(`an $async schema is never taken for success: ${JSON.stringify(body)} is answered 400`, async () => {
      const { app, handler } = make();
      const response = await send(await serve(app), body);
      expect(response.status).toBe(400);
      expect(handler).not.toHaveBeenCalled();
    });
  }

  for (const body of [
    { id: 7, error: { message: 'mine' } },
    { id: 7, value: { id: 1, admin: true } },
  ]) {
    test(`the fields of ${JSON.stringify(body)} are not read as a verdict`, async () => {
      const { app } = make();
      const response = await send(await serve(app), body);
      expect([response.status, await response.json()]).toEqual([200, { body }]);
    });
  }

  test('preHandler hooks run after validation and may wait', async () => {
    const app = ambit();
    app.post('/', {
      schema: { body: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } },
      preHandler: async (request, reply) => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        const { id } = request.body as { id: unknown };
        return id === 7 ? undefined : reply.code(404).send({ missing: id });
      },
      handler: () => 'found',
    });
    const origin = await serve(app);
    expect(await (await send(origin, { id: '7' })).text()).toBe('found');
    expect(await (await send(origin, { id: '8' })).json()).toEqual({ missing: 8 });
    expect((await send(origin, {})).status).toBe(400);
  });
});
