// Spec 2.5: the fields of a validation error, and what the formatter is given.
import { ambit, type HttpPart, type ValidationProblem } from 'ambit';
import { expect, test } from 'vitest';

type Seen = Error & { statusCode?: number; code?: string; validation?: unknown; validationContext?: string };

const number = { n: { type: 'integer' } };
/** One failing request per part. */
const failing = [
  { part: 'body', context: 'body', schema: { body: number }, request: { url: '/1', body: { n: 'x' } } },
  { part: 'params', context: 'params', schema: { params: number }, request: { url: '/x', body: {} } },
  {
    part: 'querystring',
    context: 'query',
    schema: { querystring: number },
    request: { url: '/1?n=x', body: {} },
  },
  {
    part: 'headers',
    context: 'headers',
    schema: { headers: number },
    request: { url: '/1', headers: { n: 'x' }, body: {} },
  },
] as const;

for (const { part, context, schema, request } of failing) {
  test(`a failure of ${part} has status 400, the validator's errors, a message and the context ${context}`, async () => {
    const app = ambit();
    const errors: Seen[] = [];
    app.setErrorHandler((error, _request, reply) => {
      errors.push(error);
      reply.code(error.statusCode!).send('refused');
    });
    app.post('/:n', { schema }, () => 'ok');
    const reply = await app.inject({ method: 'POST', ...request });
    expect(reply.statusCode).toBe(400);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toBeInstanceOf(Error);
    expect(errors[0]).toMatchObject({
      statusCode: 400,
      code: 'FST_ERR_VALIDATION',
      validationContext: context,
      message: `${part}/n should be integer`,
      validation: [{ keyword: 'type', instancePath: '/n', message: 'must be integer' }],
    });
  });

  test(`the formatter is given the array of problems and the dataVar ${part}`, async () => {
    const calls: [ValidationProblem[], HttpPart][] = [];
    const app = ambit({
      schemaErrorFormatter: (problems, dataVar) => {
        calls.push([problems, dataVar]);
        return new Error('formatted');
      },
    });
    app.post('/:n', { schema }, () => 'ok');
    const reply = await app.inject({ method: 'POST', ...request });
    expect(reply.json<{ message: string }>().message).toBe('formatted');
    expect(calls).toHaveLength(1);
    expect(calls[0]).toEqual([[expect.objectContaining({ keyword: 'type', instancePath: '/n' })], part]);
  });
}

test('statusCode is the integer 400, on the wire too', async () => {
  const app = ambit();
  app.get('/', { schema: { querystring: number } }, () => 'ok');
  const reply = await app.inject('/?n=x');
  expect(reply.json()).toEqual({
    statusCode: 400,
    code: 'FST_ERR_VALIDATION',
    error: 'Bad Request',
    message: 'querystring/n should be integer',
  });
});

test('validation is the error property that another validation function returned', async () => {
  const app = ambit();
  const problem = { reason: 'not a number' };
  const errors: Seen[] = [];
  app.setSchemaErrorFormatter(() => new Error('formatted'));
  app.setErrorHandler((error, _request, reply) => {
    errors.push(error);
    reply.code(400).send();
  });
  app.get(
    '/',
    { schema: { querystring: number }, validatorCompiler: () => () => ({ error: problem }) },
    () => 'ok',
  );
  await app.inject('/');
  expect(errors[0]?.validation).toBe(problem);
  expect(errors[0]?.validationContext).toBe('query');
});

test('an Error that a validation function returned is the error itself, with the fields added', async () => {
  const app = ambit();
  const returned = new Error('no such number');
  const errors: Seen[] = [];
  app.setErrorHandler((error, _request, reply) => {
    errors.push(error);
    reply.code(400).send();
  });
  app.get(
    '/',
    { schema: { querystring: number }, validatorCompiler: () => () => ({ error: returned }) },
    () => 'ok',
  );
  await app.inject('/');
  expect(errors[0]).toBe(returned);
  expect(errors[0]).toMatchObject({ statusCode: 400, validationContext: 'query' });
  expect(errors[0]?.validation).toBeDefined();
});

test('several problems are joined into one message', async () => {
  const app = ambit({ ajv: { customOptions: { allErrors: true } } });
  const schema = { body: { type: 'object', required: ['a', 'b'], properties: { a: {}, b: {} } } };
  app.post('/', { schema }, () => 'ok');
  const reply = await app.inject({ method: 'POST', url: '/', body: {} });
  expect(reply.json<{ message: string }>().message).toBe(
    "body should have required property 'a', body should have required property 'b'",
  );
});

test('the parts are validated in the order params, body, query string, headers', async () => {
  const app = ambit();
  const order: string[] = [];
  const schema = { params: number, body: number, querystring: number, headers: number };
  const validatorCompiler =
    ({ httpPart }: { httpPart?: string | undefined }) =>
    () => {
      order.push(String(httpPart));
      return true;
    };
  app.post('/:n', { schema, validatorCompiler }, () => 'ok');
  await app.inject({ method: 'POST', url: '/1', body: {} });
  expect(order).toEqual(['params', 'body', 'querystring', 'headers']);
});

test('validation ends with the first part that fails', async () => {
  const app = ambit();
  app.post('/:n', { schema: { params: number, body: number } }, () => 'ok');
  const reply = await app.inject({ method: 'POST', url: '/x', body: { n: 'x' } });
  expect(reply.json<{ message: string }>().message).toBe('params/n should be integer');
});
