// Spec 2.3: `attachValidation`, `validatorCompiler` and `request.validationError`.
import { ambit, type Handler } from 'ambit';
import { expect, test } from 'vitest';

const schema = { body: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } };
const describeError: Handler = ({ validationError }) => ({
  isError: validationError instanceof Error,
  message: validationError?.message,
  validation: validationError?.validation,
  validationContext: validationError?.validationContext,
});

test('attachValidation lets the handler run on a failed validation, with the error in request.validationError', async () => {
  const app = ambit();
  app.post('/', { schema, attachValidation: true }, describeError);
  const reply = await app.inject({ method: 'POST', url: '/', body: {} });
  expect(reply.statusCode).toBe(200);
  expect(reply.json()).toMatchObject({
    isError: true,
    message: "body should have required property 'name'",
    validationContext: 'body',
  });
});

test('the validation property of validationError holds the raw result of the validator', async () => {
  const app = ambit();
  app.post('/', { schema, attachValidation: true }, describeError);
  const reply = await app.inject({ method: 'POST', url: '/', body: {} });
  expect(reply.json<{ validation: unknown }>().validation).toEqual([
    expect.objectContaining({ keyword: 'required', instancePath: '', params: { missingProperty: 'name' } }),
  ]);
});

test('validationError is not set when validation passes', async () => {
  const app = ambit();
  app.post('/', { schema, attachValidation: true }, (request) => ({
    has: request.validationError !== undefined,
  }));
  const reply = await app.inject({ method: 'POST', url: '/', body: { name: 'ada' } });
  expect(reply.json()).toEqual({ has: false });
});

for (const attachValidation of [false, undefined]) {
  test(`with attachValidation ${attachValidation} a failed validation ends the request before the handler`, async () => {
    const app = ambit();
    const calls: string[] = [];
    app.post('/', { schema, ...(attachValidation === false && { attachValidation }) }, () =>
      calls.push('handler'),
    );
    const reply = await app.inject({ method: 'POST', url: '/', body: {} });
    expect(reply.statusCode).toBe(400);
    expect(calls).toEqual([]);
  });
}

test('attachValidation belongs to its route: the one beside it still answers 400', async () => {
  const app = ambit();
  app.post('/attached', { schema, attachValidation: true }, () => 'ran');
  app.post('/plain', { schema }, () => 'ran');
  expect((await app.inject({ method: 'POST', url: '/attached', body: {} })).statusCode).toBe(200);
  expect((await app.inject({ method: 'POST', url: '/plain', body: {} })).statusCode).toBe(400);
});

test('with attachValidation the preHandler hooks run and see the error too', async () => {
  const app = ambit();
  app.post(
    '/',
    {
      schema,
      attachValidation: true,
      preHandler: (request, reply, done) => {
        reply.header('x-seen', request.validationError?.message);
        done();
      },
    },
    () => 'ok',
  );
  const reply = await app.inject({ method: 'POST', url: '/', body: {} });
  expect(reply.headers['x-seen']).toBe("body should have required property 'name'");
});

test('the handler may answer with the error and a status of its choice', async () => {
  const app = ambit();
  app.post('/', { schema, attachValidation: true }, (request, reply) => {
    reply.code(422).send(request.validationError);
  });
  const reply = await app.inject({ method: 'POST', url: '/', body: {} });
  expect(reply.json<{ message: string }>().message).toBe("body should have required property 'name'");
});

test('validatorCompiler of a route compiles the schemas of that route and of no other', async () => {
  const app = ambit();
  const compiled: string[] = [];
  app.post(
    '/own',
    {
      schema,
      validatorCompiler: ({ url, method, httpPart }) => {
        compiled.push(`${method} ${url} ${httpPart}`);
        return () => ({ value: { name: 'set by the compiler' } });
      },
    },
    (request) => request.body,
  );
  app.post('/other', { schema }, (request) => request.body);
  expect((await app.inject({ method: 'POST', url: '/own', body: {} })).json()).toEqual({
    name: 'set by the compiler',
  });
  expect((await app.inject({ method: 'POST', url: '/other', body: {} })).statusCode).toBe(400);
  expect(compiled).toEqual(['POST /own body']);
});

test('validatorCompiler of a route wins over the compiler of its context', async () => {
  const app = ambit();
  app.setValidatorCompiler(() => () => ({ error: new Error('context') }));
  app.post('/', { schema, validatorCompiler: () => () => ({ error: new Error('route') }) }, () => 'ok');
  expect((await app.inject({ method: 'POST', url: '/', body: {} })).json<{ message: string }>().message).toBe(
    'route',
  );
});

test('validationError holds the raw error of another validator', async () => {
  const app = ambit();
  app.post(
    '/',
    { schema, attachValidation: true, validatorCompiler: () => () => ({ error: [{ message: 'is odd' }] }) },
    describeError,
  );
  const reply = await app.inject({ method: 'POST', url: '/', body: {} });
  expect(reply.json()).toMatchObject({ isError: true, validation: [{ message: 'is odd' }] });
});

test('a validatorCompiler that returns nothing fails at boot and names the route', async () => {
  const app = ambit();
  app.post('/odd', { schema, validatorCompiler: () => undefined as never }, () => 'ok');
  await expect(app.ready()).rejects.toMatchObject({
    code: 'FST_ERR_SCH_VALIDATION_BUILD',
    cause: { code: 'AMBIT_ERR_VALIDATOR_NOT_FUNCTION' },
    where: { plugin: 'ambit', route: 'POST /odd' },
  });
});
