/** Spec 8: the limits, each at it and one past it. The request limits are those of the readings. */
import { ambit, type Context } from 'ambit';
import { describe, expect, test } from 'vitest';

const invalidTwice = { a: 'x', b: 'y' };
const twoIntegers = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } };

function countProblems(app: Context): Context {
  app.setErrorHandler((error, _request, reply) =>
    reply.send({ problems: (error.validation as unknown[]).length }),
  );
  app.post('/', { schema: { body: twoIntegers } }, () => 'valid');
  return app;
}

describe('allErrors', () => {
  test('is false by default: validation stops at the first error', async () => {
    const response = await countProblems(ambit()).inject({ method: 'POST', url: '/', payload: invalidTwice });
    expect(response.json()).toEqual({ problems: 1 });
  });

  test('set to true in customOptions reports every error', async () => {
    const app = countProblems(ambit({ ajv: { customOptions: { allErrors: true } } }));
    const response = await app.inject({ method: 'POST', url: '/', payload: invalidTwice });
    expect(response.json()).toEqual({ problems: 2 });
  });
});

test('a string that is too long is refused before its pattern, however slow the pattern is', async () => {
  const app = ambit();
  const text = { type: 'string', pattern: '^(a+)+$', maxLength: 20 };
  app.post('/', { schema: { body: { type: 'object', properties: { text } } } }, () => 'valid');
  // This takes longer than the age of the earth if the pattern is tried.
  const payload = { text: `${'a'.repeat(80)}b` };
  const response = await app.inject({ method: 'POST', url: '/', payload });
  const message = 'body/text should NOT have more than 20 characters';
  expect(response.json()).toMatchObject({ message });
});

describe('limits of a schema', () => {
  const body = {
    type: 'object',
    properties: {
      tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
      title: { type: 'string', maxLength: 3 },
      age: { type: 'integer', minimum: 18 },
      free: { type: 'string' },
    },
  };
  const app = ambit();
  app.post('/limited', { schema: { body } }, () => 'valid');
  app.post('/unlimited', () => 'valid');

  for (const [what, payload, status] of [
    ['maxItems: 2 items of 2', { tags: ['a', 'b'] }, 200],
    ['maxItems: 3 items of 2', { tags: ['a', 'b', 'c'] }, 400],
    ['maxLength: 3 characters of 3', { title: 'abc' }, 200],
    ['maxLength: 4 characters of 3', { title: 'abcd' }, 400],
    ['minimum: 18 of 18', { age: 18 }, 200],
    ['minimum: 17 of 18', { age: 17 }, 400],
    ['another field is not limited', { free: 'x'.repeat(1000) }, 200],
  ] as const) {
    test(`${what} answers ${status}`, async () => {
      const response = await app.inject({ method: 'POST', url: '/limited', payload });
      expect(response.statusCode).toBe(status);
    });
  }

  test('maxLength counts characters, not bytes', async () => {
    const response = await app.inject({ method: 'POST', url: '/limited', payload: { title: '😀😀😀' } });
    expect(response.statusCode).toBe(200);
  });

  test('apply to the fields of that schema only', async () => {
    const payload = { tags: ['a', 'b', 'c'], title: 'abcd', age: 1 };
    const response = await app.inject({ method: 'POST', url: '/unlimited', payload });
    expect(response.statusCode).toBe(200);
  });
});

describe('limits of a request', () => {
  for (const [bytes, status] of [
    [1_048_576, 200],
    [1_048_577, 413],
  ] as const) {
    test(`a ${bytes}-byte body under the default limit of 1 MiB answers ${status}`, async () => {
      const app = ambit();
      app.post('/', () => 'read');
      const headers = { 'content-type': 'text/plain' };
      const response = await app.inject({ method: 'POST', url: '/', headers, payload: 'x'.repeat(bytes) });
      expect(response.statusCode).toBe(status);
    });
  }

  for (const [length, status] of [
    [100, 200],
    [101, 414],
  ] as const) {
    test(`a param of ${length} characters under the default limit of 100 answers ${status}`, async () => {
      const app = ambit();
      app.get('/:id', () => 'got');
      const response = await app.inject(`/${'x'.repeat(length)}`);
      expect(response.statusCode).toBe(status);
    });
  }
});
