// The entries in `validation` and the `message` of an error reply have the same wording.
import { ambit } from 'ambit';
import { describe, expect, test } from 'vitest';
import { fastify } from '../src/index.ts';

const facade = fastify as unknown as typeof ambit;
const schema = { querystring: { page: { type: 'integer', minimum: 1 } } };
const problem = {
  type: 'object',
  properties: { instancePath: { type: 'string' }, message: { type: 'string' } },
};
const declared = {
  type: 'object',
  properties: { message: { type: 'string' }, validation: { type: 'array', items: problem } },
};

type Answer = { message: string; validation: { instancePath: string; message: string }[] };

describe.each([
  ['ambit', ambit, 'should be >= 1'],
  ['the facade', facade, 'must be >= 1'],
] as const)('%s', (_flavor, make, text) => {
  const answer = {
    message: `querystring/page ${text}`,
    validation: [{ instancePath: '/page', message: text }],
  };

  test('in the payload of an error handler', async () => {
    const app = make();
    app.setErrorHandler((error, _request, reply) =>
      reply.code(400).send({ message: error.message, validation: error.validation }),
    );
    app.get('/', { schema }, () => 'ok');
    expect((await app.inject('/?page=0')).json<Answer>()).toMatchObject(answer);
  });

  test('in the payload of a handler with an attached error', async () => {
    const app = make();
    app.get('/', { schema, attachValidation: true }, ({ validationError }) => ({
      message: validationError?.message,
      validation: validationError?.validation,
    }));
    expect((await app.inject('/?page=0')).json<Answer>()).toMatchObject(answer);
  });

  test('in the default reply, if a response schema declares both', async () => {
    const app = make();
    app.get('/', { schema: { ...schema, response: { 400: declared } } }, () => ({}) as never);
    expect((await app.inject('/?page=0')).json<Answer>()).toEqual(answer);
  });

  test('in memory the errors are those of the validator', async () => {
    const app = make();
    const seen: unknown[] = [];
    app.setErrorHandler((error, _request, reply) => {
      seen.push(...(error.validation as Answer['validation']).map(({ message }) => message));
      return reply.code(400).send();
    });
    app.get('/', { schema }, () => 'ok');
    await app.inject('/?page=0');
    expect(seen).toEqual(['must be >= 1']);
  });

  test('a custom formatter gets the errors of the validator unchanged', async () => {
    const app = make();
    app.setSchemaErrorFormatter((problems) => new Error(problems.map(({ message }) => message).join()));
    app.setErrorHandler((error, _request, reply) =>
      reply.code(400).send({ message: error.message, validation: error.validation }),
    );
    app.get('/', { schema }, () => 'ok');
    const { message, validation } = (await app.inject('/?page=0')).json<Answer>();
    expect([message, validation[0]!.message]).toEqual(['must be >= 1', 'must be >= 1']);
  });

  test('frozen errors of a custom validator are not changed', async () => {
    const app = make();
    const error = Object.freeze([{ instancePath: '/page', message: 'must be nicer' }]);
    app.get('/', { schema, validatorCompiler: () => () => ({ error }) }, () => 'ok');
    const { message } = (await app.inject('/?page=0')).json<Answer>();
    expect(message).toBe(`querystring/page ${text.split(' ')[0]} be nicer`);
  });
});
