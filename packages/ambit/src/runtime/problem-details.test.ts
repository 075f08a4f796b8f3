/** `errors: 'problem'`: every error reply of the framework itself is problem details (RFC 9457), on every transport and both flavors. */
import { randomUUID } from 'node:crypto';
import {
  type AmbitOptions,
  type Context,
  defineProblem,
  hoist,
  type ProblemDetails,
  type Reply,
} from 'ambit';
import Joi from 'joi';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { flavors } from '../../test/support/flavors.ts';
import { hurry } from '../../test/support/hurry.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { converse, request as requestText } from '../../test/support/raw-client.ts';
import { portOf, serve, servePort } from '../../test/support/serve.ts';
import { allTransports, type RequestSpec, textOf, transportsFor } from '../../test/support/transports.ts';

forbidProcessFaults();
beforeEach(() => {
  vi.stubEnv('NODE_ENV', 'production');
  return () => void vi.unstubAllEnvs();
});

const json = { 'content-type': 'application/json' };
const person = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
};
const number = { type: 'object', properties: { id: { type: 'integer' } } };
const blank = (status: number, title: string, more: object = {}) => ({
  type: 'about:blank',
  title,
  status,
  instance: '#req-1',
  ...more,
});

/** An application with a route for each way to fail. */
function failing(make: (options: AmbitOptions) => Context, options: AmbitOptions = {}): Context {
  const app = make({ errors: 'problem', bodyLimit: 64, routerOptions: { maxParamLength: 10 }, ...options });
  app.post('/body', { schema: { body: person } }, () => 'valid');
  app.post('/open', () => 'valid');
  app.get('/query', { schema: { querystring: number } }, () => 'valid');
  app.get('/params/:id', { schema: { params: number } }, () => 'valid');
  app.get('/headers', { schema: { headers: number } }, () => 'valid');
  app.get('/thrown', () => {
    throw Object.assign(new Error('no such table: users'), { code: 'ER_NO_SUCH_TABLE', query: 'SELECT 1' });
  });
  app.get('/status', () => {
    throw Object.assign(new Error('no more tea'), { statusCode: 418, code: 'TEA_OUT', secret: 'hidden' });
  });
  app.get('/unavailable', () => {
    throw Object.assign(new Error('back at 9'), { statusCode: 503, code: 'CLOSED', expose: true });
  });
  app.get('/hidden', () => {
    throw Object.assign(new Error('user 7 exists'), { statusCode: 403, code: 'OTHER', expose: false });
  });
  app.get('/slow', { handlerTimeout: 20 }, () => new Promise(() => {}));
  app.get('/unserializable', () => ({ size: 1n }));
  app.get('/text', () => {
    throw 'only a text';
  });
  app.get('/value', () => {
    throw { statusCode: 409, message: 'taken', secret: 'hidden' };
  });
  app.get('/nothing', async () => Promise.reject(undefined));
  app.get('/many', () => {
    const wrong = [new Error('too short'), Object.assign(new Error('too young'), { pointer: '#/age' })];
    throw Object.assign(new AggregateError(wrong, 'two problems'), { statusCode: 422 });
  });
  return app;
}

/** The problem of one value that does not match its schema. */
const invalid = (place: string, detail: string, pointer: string, part: string): object =>
  blank(400, 'Bad Request', {
    detail: `${place} ${detail}`,
    code: 'FST_ERR_VALIDATION',
    errors: [{ detail, pointer, part }],
  });

/** Requests, and the problems in their responses. Validation messages of `ambit` and of the facade have different verbs. */
const failures: readonly (readonly [what: string, question: RequestSpec, problem: object])[] = [
  [
    'an invalid body',
    { method: 'POST', path: '/body', headers: json, body: '{"name":"Ada","age":"x"}' },
    invalid('body/age', 'must be integer', '#/age', 'body'),
  ],
  [
    'a missing property, at which the pointer points',
    { method: 'POST', path: '/body', headers: json, body: '{}' },
    invalid('body', "must have required property 'name'", '#/name', 'body'),
  ],
  [
    'an invalid query string',
    { path: '/query?id=x' },
    invalid('querystring/id', 'must be integer', '#/id', 'query'),
  ],
  ['an invalid parameter', { path: '/params/x' }, invalid('params/id', 'must be integer', '#/id', 'params')],
  [
    'an invalid header',
    { path: '/headers', headers: { id: 'x' } },
    invalid('headers/id', 'must be integer', '#/id', 'headers'),
  ],
  [
    'a URL without a route',
    { path: '/nowhere?x=1' },
    blank(404, 'Not Found', { detail: 'Route GET:/nowhere?x=1 not found' }),
  ],
  [
    'a method without a route',
    { method: 'DELETE', path: '/body' },
    blank(404, 'Not Found', { detail: 'Route DELETE:/body not found' }),
  ],
  [
    'a URL that cannot be decoded',
    { path: '/params/%ff' },
    blank(400, 'Bad Request', {
      detail: "'/params/%ff' is not a valid url component",
      code: 'FST_ERR_BAD_URL',
    }),
  ],
  [
    'a parameter that is too long',
    { path: '/params/12345678901' },
    blank(414, 'URI Too Long', {
      detail: "'/params/12345678901' is exceeding the max param length",
      code: 'FST_ERR_MAX_PARAM_LENGTH',
    }),
  ],
  [
    'a body that is too large',
    { method: 'POST', path: '/body', headers: json, body: `{"name":"${'x'.repeat(64)}"}` },
    blank(413, 'Payload Too Large', {
      detail: 'Request body is too large',
      code: 'FST_ERR_CTP_BODY_TOO_LARGE',
    }),
  ],
  [
    'a media type that no parser reads',
    { method: 'POST', path: '/open', headers: { 'content-type': 'text/csv' }, body: 'a,b' },
    blank(415, 'Unsupported Media Type', { code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' }),
  ],
  [
    'a body that is no JSON',
    { method: 'POST', path: '/body', headers: json, body: '{"name":' },
    blank(400, 'Bad Request', {
      detail: "Body is not valid JSON but content-type is set to 'application/json'",
      code: 'FST_ERR_CTP_INVALID_JSON_BODY',
    }),
  ],
  [
    'an empty body of type JSON',
    { method: 'POST', path: '/body', headers: json, body: '' },
    blank(400, 'Bad Request', {
      detail: "Body cannot be empty when content-type is set to 'application/json'",
      code: 'FST_ERR_CTP_EMPTY_JSON_BODY',
    }),
  ],
  [
    'an error without a status, of which nothing leaks',
    { path: '/thrown' },
    blank(500, 'Internal Server Error'),
  ],
  [
    'an error with a status and a code',
    { path: '/status' },
    blank(418, "I'm a Teapot", { detail: 'no more tea', code: 'TEA_OUT' }),
  ],
  [
    'an error of the server that is for clients',
    { path: '/unavailable' },
    blank(503, 'Service Unavailable', { detail: 'back at 9', code: 'CLOSED' }),
  ],
  ['an error that is not for clients', { path: '/hidden' }, blank(403, 'Forbidden')],
  [
    'a handler that takes too long',
    { path: '/slow' },
    blank(503, 'Service Unavailable', {
      detail: "Request timed out after 20 ms on route '/slow'",
      code: 'FST_ERR_HANDLER_TIMEOUT',
    }),
  ],
  ['a payload that cannot be serialized', { path: '/unserializable' }, blank(500, 'Internal Server Error')],
  ['a text that is thrown', { path: '/text' }, blank(500, 'Internal Server Error')],
  ['an object that is thrown', { path: '/value' }, blank(409, 'Conflict', { detail: 'taken' })],
  ['a rejection without a reason', { path: '/nothing' }, blank(500, 'Internal Server Error')],
  [
    'an AggregateError, whose errors are listed',
    { path: '/many' },
    blank(422, 'Unprocessable Entity', {
      detail: 'two problems',
      errors: [{ detail: 'too short' }, { detail: 'too young', pointer: '#/age' }],
    }),
  ],
];

const verbs: Readonly<Record<string, string>> = { ambit: 'should', 'the facade': 'must' };
const cases = flavors.flatMap(([flavor, make]) =>
  transportsFor(flavor).map((wire) => ({ flavor, make, ...wire })),
);

describe.each(cases)('on $flavor over $name', ({ flavor, make, options, ask }) => {
  const inFlavor = (problem: object) =>
    JSON.parse(JSON.stringify(problem).replaceAll('must', verbs[flavor]!));

  test.each(failures)('%s is answered as a problem', async (_what, question, problem) => {
    const answer = await ask(failing(make, options), question);
    expect(JSON.parse(await textOf(answer))).toEqual(inFlavor(problem));
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(answer.status).toBe((problem as ProblemDetails).status);
  });

  test('a HEAD request gets only the head of the problem', async () => {
    const answer = await ask(failing(make, options), { method: 'HEAD', path: '/status' });
    expect([answer.status, answer.headers['content-type'], await textOf(answer)]).toEqual([
      418,
      'application/problem+json; charset=utf-8',
      '',
    ]);
  });

  test('without the option, errors are answered as before', async () => {
    const answer = await ask(failing(make, { ...options, errors: undefined as never }), { path: '/status' });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(await textOf(answer))).toEqual({
      statusCode: 418,
      code: 'TEA_OUT',
      error: "I'm a Teapot",
      message: 'no more tea',
    });
  });
});

describe.each(flavors)('on %s', (_flavor, make) => {
  const bodyOf = async (app: Context, question: Parameters<Context['inject']>[0]): Promise<ProblemDetails> =>
    (await app.inject(question as never)).json();
  const fail = (error: unknown) => () => {
    throw error;
  };

  describe('the members', () => {
    test('instance is a URN if the id of the request is a UUID (RFC 9562, 4)', async () => {
      const id = randomUUID();
      const app = make({ errors: 'problem', genReqId: () => id.toUpperCase() });
      expect((await bodyOf(app, '/')).instance).toBe(`urn:uuid:${id}`);
    });

    for (const [id, instance] of [
      ['a b#c/\u{1f600}', '#a%20b%23c%2F%F0%9F%98%80'],
      ['half \ud800', '#half%20%EF%BF%BD'],
    ] as const) {
      test(`instance is a valid URI reference for the id ${JSON.stringify(id)}, too`, async () => {
        const app = make({ errors: 'problem', genReqId: () => id });
        expect((await bodyOf(app, '/')).instance).toBe(instance);
      });
    }

    test('a pointer names each step as RFC 6901 does, encoded for a fragment', async () => {
      const app = make({ errors: 'problem' });
      const inner = { type: 'object', required: ['x"é/~%#'] };
      const body = { type: 'object', properties: { 'a/b~c': { type: 'array', items: inner } } };
      app.post('/', { schema: { body } }, () => 'valid');
      const { errors: items } = await bodyOf(app, {
        method: 'POST',
        url: '/',
        payload: { 'a/b~c': [{ 'x"é/~%#': 1 }, {}] },
      });
      expect(items![0]!.pointer).toBe('#/a~1b~0c/1/x%22%C3%A9~1~0%25%23');
    });

    test('with allErrors, each error has an entry', async () => {
      const app = make({ errors: 'problem', ajv: { customOptions: { allErrors: true } } });
      app.post('/', { schema: { body: person } }, () => 'valid');
      const { errors: items } = await bodyOf(app, { method: 'POST', url: '/', payload: { age: 'x' } });
      expect(items!.map(({ pointer }) => pointer).sort()).toEqual(['#/age', '#/name']);
    });

    test('the pointer names a property that must not be there', async () => {
      const app = make({ errors: 'problem', ajv: { customOptions: { removeAdditional: false } } });
      app.post('/', { schema: { body: { ...person, additionalProperties: false } } }, () => 'valid');
      const payload = { name: 'Ada', role: 'admin' };
      const { errors: items } = await bodyOf(app, { method: 'POST', url: '/', payload });
      expect(items).toMatchObject([{ pointer: '#/role', part: 'body' }]);
    });

    test('schemas of other libraries have entries with pointers too', async () => {
      const app = make({ errors: 'problem' });
      const schema = z.object({ tags: z.array(z.object({ name: z.string() })) });
      app.post('/', { schema: { body: schema } }, () => 'valid');
      const payload = { tags: [{ name: 'a' }, { name: 1 }] };
      const { errors: items } = await bodyOf(app, { method: 'POST', url: '/', payload });
      expect(items).toMatchObject([{ pointer: '#/tags/1/name', part: 'body' }]);
    });

    for (const [library, validate] of [
      ['Joi', (data: unknown) => Joi.object({ list: Joi.array().items(Joi.number()) }).validate(data)],
      ['a list of keys', () => ({ error: [{ message: 'wrong', path: ['list', { key: 1 }] }] })],
    ] as const) {
      test(`validators that report errors as ${library} does have entries with pointers`, async () => {
        const app = make({ errors: 'problem' });
        app.setValidatorCompiler(() => validate as never);
        app.post('/', { schema: { body: {} } }, () => 'valid');
        const { errors: items } = await bodyOf(app, {
          method: 'POST',
          url: '/',
          payload: { list: [1, 'x'] },
        });
        expect(items).toMatchObject([{ pointer: '#/list/1', part: 'body' }]);
      });
    }

    test('the message of a schema error formatter is the detail', async () => {
      const app = make({ errors: 'problem', schemaErrorFormatter: () => new Error('in my words') });
      app.post('/', { schema: { body: person } }, () => 'valid');
      const problem = await bodyOf(app, { method: 'POST', url: '/', payload: {} });
      expect(problem).toMatchObject({ detail: 'in my words', errors: [{ pointer: '#/name' }] });
    });

    test('values of the request are only in the detail that the validator wrote', async () => {
      const app = make({ errors: 'problem' });
      app.post('/', { schema: { body: person } }, () => 'valid');
      const response = await app.inject({
        method: 'POST',
        url: '/',
        payload: { name: 'Ada', age: 'secret' },
      });
      expect(response.body).not.toContain('secret');
    });
  });

  describe('an error class with a type of its own', () => {
    const OutOfCredit = defineProblem<{ balance: number; accounts: string[] }>({
      type: 'https://example.com/problems/out-of-credit',
      title: 'You do not have enough credit.',
      status: 403,
    });

    test('sets type, title and extension members (RFC 9457, 3)', async () => {
      const app = make({ errors: 'problem' });
      const cause = new Error('inner');
      const members = { balance: 30, accounts: ['/account/12345'] };
      app.get(
        '/',
        fail(new OutOfCredit('Your current balance is 30, but that costs 50.', members, { cause })),
      );
      expect(await bodyOf(app, '/')).toEqual({
        type: 'https://example.com/problems/out-of-credit',
        title: 'You do not have enough credit.',
        status: 403,
        detail: 'Your current balance is 30, but that costs 50.',
        instance: '#req-1',
        balance: 30,
        accounts: ['/account/12345'],
      });
    });

    test('is answered like any error with its status if the format is not used', async () => {
      const app = make();
      app.get('/', fail(new OutOfCredit('costs 50', { balance: 30, accounts: [] })));
      expect(await bodyOf(app, '/')).toEqual({ statusCode: 403, error: 'Forbidden', message: 'costs 50' });
    });

    test('with a status of 500 or more, its detail is sent to clients', async () => {
      const Overloaded = defineProblem({ type: '/problems/overloaded', title: 'Overloaded', status: 503 });
      const app = make({ errors: 'problem' });
      app.get('/', fail(new Overloaded('try again at 9')));
      expect(await bodyOf(app, '/')).toMatchObject({
        type: '/problems/overloaded',
        detail: 'try again at 9',
      });
    });

    test('may be any class with a field `problem`; reserved names and invalid types are left out', async () => {
      class Taken extends Error {
        statusCode = 409;
        problem = {
          type: 'not a URI',
          title: 'Taken',
          status: 200,
          errors: 'x',
          code: 'y',
          suggestion: 'ada2',
        };
      }
      const app = make({ errors: 'problem' });
      app.get('/', fail(new Taken('ada is taken')));
      expect(await bodyOf(app, '/')).toEqual({
        type: 'about:blank',
        title: 'Taken',
        status: 409,
        detail: 'ada is taken',
        instance: '#req-1',
        suggestion: 'ada2',
      });
    });

    test.each([
      [{ type: 'no URI' }],
      [{ type: '' }],
      [{ type: 7 }],
      [{ title: '' }],
      [{ status: 399 }],
      [{ status: 600 }],
      [{ status: 400.5 }],
      [{ status: '400' }],
    ])('%j is refused when it is defined', (wrong) => {
      const definition = { type: 'about:blank', title: 'Wrong', status: 400, ...wrong };
      expect(() => defineProblem(definition as never)).toThrow(
        expect.objectContaining({ code: 'AMBIT_ERR_OPTION_INVALID' }),
      );
    });

    test.each(['type', 'title', 'status', 'detail', 'instance', 'errors', 'code'])(
      'an extension member %s is refused',
      (name) => {
        const Any = defineProblem({ type: 'about:blank', title: 'Any', status: 400 });
        expect(() => new Any('detail', { [name]: 1 } as never)).toThrow(`the member '${name}' is reserved`);
      },
    );
  });

  describe('errors of any shape', () => {
    const hostile = new Proxy(new Error('hidden'), {
      get: () => {
        throw new Error('do not read me');
      },
    });
    test.each([
      ['a proxy that throws', hostile],
      [
        'an extension member that cannot be written',
        Object.assign(new Error('x'), { problem: { size: 1n } }),
      ],
      ['a `problem` that is a text', Object.assign(new Error('x'), { problem: 'NETWORK_ERROR' })],
      ['a `type` of another library', Object.assign(new Error('x'), { type: 'StripeCardError' })],
      ['null', null],
      ['a number', 7],
      ['a symbol', Symbol('x')],
      ['a frozen error', Object.freeze(new Error('x'))],
    ])('%s is answered 500, and nothing leaks', async (_what, thrown) => {
      const app = make({ errors: 'problem' });
      app.get('/', fail(thrown));
      const response = await app.inject('/');
      const { code, ...problem } = response.json<ProblemDetails>();
      expect(problem).toEqual(blank(500, 'Internal Server Error'));
      expect(response.statusCode).toBe(500);
      expect(response.headers['content-type']).toContain('application/problem+json');
    });

    test('an error that an error handler throws is answered as a problem', async () => {
      const app = make({ errors: 'problem' });
      app.setErrorHandler((error) => {
        throw Object.assign(new Error('not mine', { cause: error }), { statusCode: 409 });
      });
      app.get('/', fail(new Error('first')));
      expect(await bodyOf(app, '/')).toMatchObject({ status: 409, detail: 'not mine' });
    });

    test('headers of the error are sent, but the Content-Type is that of the problem', async () => {
      const app = make({ errors: 'problem' });
      const headers = { 'retry-after': '60', 'content-type': 'text/html' };
      app.get('/', fail(Object.assign(new Error('later'), { statusCode: 429, headers })));
      const response = await app.inject('/');
      expect(response.headers).toMatchObject({
        'retry-after': '60',
        'content-type': 'application/problem+json; charset=utf-8',
      });
      expect(response.json()).toMatchObject({ title: 'Too Many Requests', detail: 'later' });
    });

    test('a hook that fails after the payload was serialized is answered as a problem', async () => {
      const app = make({ errors: 'problem' });
      app.get('/', { onSend: async () => Promise.reject(new Error('in the hook')) }, () => 'sent');
      expect(await bodyOf(app, '/')).toEqual(blank(500, 'Internal Server Error'));
    });
  });

  describe('a response schema for the status', () => {
    const answerWith = async (response: object, error: object): Promise<unknown> => {
      const app = make({ errors: 'problem' });
      app.get('/', { schema: { response } }, fail(Object.assign(new Error('no more tea'), error)));
      return bodyOf(app, '/');
    };
    const text = { type: 'string' };

    test('chooses among the members of the problem', async () => {
      const schema = {
        type: 'object',
        properties: { title: text, detail: text, status: { type: 'integer' } },
      };
      expect(await answerWith({ 418: schema }, { statusCode: 418, code: 'TEA_OUT' })).toEqual({
        title: "I'm a Teapot",
        detail: 'no more tea',
        status: 418,
      });
    });

    test('applies by the media type of problems', async () => {
      const schema = { type: 'object', properties: { detail: text } };
      const other = { type: 'object', properties: { message: text } };
      const content = { 'application/problem+json': { schema }, 'application/json': { schema: other } };
      expect(await answerWith({ '4xx': { content } }, { statusCode: 418 })).toEqual({
        detail: 'no more tea',
      });
    });

    test('that was written for the default format applies as before', async () => {
      const properties = { statusCode: { type: 'integer' }, error: text, message: text, code: text };
      const schema = { type: 'object', properties };
      expect(await answerWith({ 418: schema }, { statusCode: 418, code: 'TEA_OUT' })).toEqual({
        statusCode: 418,
        error: "I'm a Teapot",
        message: 'no more tea',
        code: 'TEA_OUT',
      });
    });

    test('with open properties has all members, and no other field of the error', async () => {
      const schema = { type: 'object', additionalProperties: true };
      expect(await answerWith({ 418: schema }, { statusCode: 418, problem: { teaId: 7 } })).toEqual(
        blank(418, "I'm a Teapot", { detail: 'no more tea', teaId: 7 }),
      );
    });

    test('does not get fields that are hidden from clients', async () => {
      const schema = {
        type: 'object',
        properties: { detail: text, code: text, status: { type: 'integer' } },
      };
      const error = { code: 'ECONNREFUSED', detail: 'Key (email)=(ada@example.com) already exists.' };
      expect(await answerWith({ 500: schema }, error)).toEqual({ status: 500 });
    });

    test('that cannot write the problem does not apply, and does not change the status', async () => {
      const schema = { type: 'object', required: ['balance'], properties: { balance: { type: 'integer' } } };
      expect(await answerWith({ 418: schema }, { statusCode: 418 })).toEqual(
        blank(418, "I'm a Teapot", { detail: 'no more tea' }),
      );
    });
  });

  describe('setErrorFormat', () => {
    const broken = (context: Context): void =>
      void context.get('/broken', fail(Object.assign(new Error('no more tea'), { statusCode: 418 })));
    const typesOf = (app: Context, ...urls: string[]) =>
      Promise.all(urls.map(async (url) => (await app.inject(url)).headers['content-type']));
    const problem = 'application/problem+json; charset=utf-8';
    const plain = 'application/json; charset=utf-8';

    test('applies to a context and its children, not to its parent or siblings', async () => {
      const app = make();
      broken(app);
      app.register(
        async (context) => {
          context.setErrorFormat('problem');
          broken(context);
          context.register(async (child) => broken(child), { prefix: '/child' });
        },
        { prefix: '/api' },
      );
      app.register(async (context) => broken(context), { prefix: '/sibling' });
      const types = await typesOf(app, '/broken', '/api/broken', '/api/child/broken', '/sibling/broken');
      expect(types).toEqual([plain, problem, problem, plain]);
    });

    test('turns the format off for a context', async () => {
      const app = make({ errors: 'problem' });
      broken(app);
      app.register(
        async (context) => {
          context.setErrorFormat('json');
          broken(context);
        },
        { prefix: '/old' },
      );
      expect(await typesOf(app, '/broken', '/old/broken')).toEqual([problem, plain]);
    });

    test('in a hoisted plugin applies to the context that registers it', async () => {
      const app = make();
      app.register(hoist(async (context: Context) => void context.setErrorFormat('problem')) as never);
      broken(app);
      expect(await typesOf(app, '/broken')).toEqual([problem]);
    });

    test('determines how the not-found handler of a prefix replies', async () => {
      const app = make();
      app.register(
        async (context) => {
          context.setErrorFormat('problem');
          context.setNotFoundHandler();
        },
        { prefix: '/api' },
      );
      app.register(
        async (context) => {
          context.setErrorFormat('problem');
          context.setNotFoundHandler(fail(Object.assign(new Error('gone'), { statusCode: 410 })));
        },
        { prefix: '/gone' },
      );
      expect(await typesOf(app, '/api/nowhere', '/gone/nowhere', '/nowhere')).toEqual([
        problem,
        problem,
        plain,
      ]);
      expect(await bodyOf(app, '/gone/nowhere')).toMatchObject({ status: 410, detail: 'gone' });
    });

    test('determines how callNotFound replies, also inside a not-found handler', async () => {
      const app = make({ errors: 'problem' });
      app.get('/called', (_request, reply) => reply.callNotFound());
      app.register(
        async (context) => {
          context.setNotFoundHandler((_request, reply) => reply.callNotFound());
        },
        { prefix: '/twice' },
      );
      expect(await bodyOf(app, '/called')).toMatchObject({
        status: 404,
        detail: 'Route GET:/called not found',
      });
      expect(await bodyOf(app, '/twice/x')).toMatchObject({
        status: 404,
        detail: 'Route GET:/twice/x not found',
      });
    });

    test('is told by errorFormat', async () => {
      const app = make({ errors: 'problem' });
      let inner: string | undefined;
      app.register(async (context) => {
        context.setErrorFormat('json');
        inner = context.errorFormat;
      });
      await app.ready();
      expect([app.errorFormat, inner, make().errorFormat]).toEqual(['problem', 'json', 'json']);
    });

    test.each([['html'], [true], [null], [undefined], [{}]])('%j is refused', (format) => {
      expect(() => make().setErrorFormat(format as never)).toThrow(
        expect.objectContaining({ code: 'AMBIT_ERR_OPTION_INVALID' }),
      );
    });

    test.each([['html'], [true], [{}]])('%j is refused as the option of the factory', (format) => {
      expect(() => make({ errors: format as never })).toThrow(
        expect.objectContaining({ code: 'FST_ERR_INIT_OPTS_INVALID' }),
      );
    });

    test('is refused once the application has booted', async () => {
      const app = make();
      await app.ready();
      expect(() => app.setErrorFormat('problem')).toThrow(
        expect.objectContaining({ code: 'FST_ERR_INSTANCE_ALREADY_LISTENING' }),
      );
    });
  });

  describe('functions of the application reply instead', () => {
    test('an error handler', async () => {
      const app = make({ errors: 'problem' });
      app.setErrorHandler((error, _request, reply) => reply.code(400).send({ mine: error.message }));
      app.get('/', fail(new Error('no more tea')));
      const response = await app.inject('/');
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(response.json()).toEqual({ mine: 'no more tea' });
    });

    test('frameworkErrors', async () => {
      const frameworkErrors = (_error: unknown, _request: unknown, reply: Reply) =>
        reply.code(400).send('mine');
      const app = make({ errors: 'problem', frameworkErrors: frameworkErrors as never });
      app.get('/:id', () => 'found');
      expect((await app.inject('/%ff')).body).toBe('mine');
    });

    test('hooks see the problem of the default not-found handler before it is serialized', async () => {
      const app = make({ errors: 'problem' });
      app.addHook('preSerialization', async (_request, _reply, payload) => ({
        ...(payload as object),
        help: '/docs',
      }));
      expect(await bodyOf(app, '/nowhere')).toMatchObject({ status: 404, help: '/docs' });
    });
  });

  describe('errors before there is a request', () => {
    const lanes = [{}, { engine: 'node' as const }];

    test.each(lanes)('bytes that are not HTTP are answered as a problem (%j)', async (lane) => {
      const received = await converse(
        await servePort(make({ errors: 'problem', ...lane })),
        'no HTTP\r\n\r\n',
      );
      expect(received).toContain('HTTP/1.1 400 Bad Request');
      expect(received).toContain('Content-Type: application/problem+json; charset=utf-8');
      expect(JSON.parse(received.split('\r\n\r\n')[1]!)).toEqual({
        type: 'about:blank',
        title: 'Bad Request',
        status: 400,
        detail: 'Client Error',
      });
    });

    test.each(lanes)('a head that is too large is answered as a problem (%j)', async (lane) => {
      const port = await servePort(make({ errors: 'problem', ...lane }));
      const received = await converse(port, requestText('GET', '/', `X-Long: ${'x'.repeat(70_000)}`));
      expect(JSON.parse(received.split('\r\n\r\n')[1]!)).toMatchObject({ type: 'about:blank', status: 431 });
    });

    const slow: [what: string, text: string][] = [
      ['a head', 'GET / HTTP/1.1\r\nHost: local'],
      ['a body', `${requestText('POST', '/', 'Content-Type: text/plain', 'Content-Length: 100')}half`],
    ];
    for (const [what, text] of slow) {
      test.each(lanes)(`${what} that takes too long is answered 408 as a problem (%j)`, async (lane) => {
        hurry(10);
        const limits = { http: { connectionsCheckingInterval: 20 }, headersTimeout: 50, requestTimeout: 50 };
        const app = make({ errors: 'problem', ...limits, ...lane });
        app.post('/', () => 'read');
        const received = await converse(await servePort(app), text);
        expect(received).toContain('HTTP/1.1 408 Request Timeout');
        expect(received).toMatch(/^content-type: application\/problem\+json; charset=utf-8\r$/im);
        expect(JSON.parse(received.split('\r\n\r\n')[1]!)).toEqual({
          type: 'about:blank',
          title: 'Request Timeout',
          status: 408,
          detail: 'Client Timeout',
        });
      });
    }

    test.each(lanes)('a request while the application closes is answered as a problem (%j)', async (lane) => {
      const app = make({ errors: 'problem', ...lane });
      app.get('/', () => 'open');
      let received = '';
      app.addHook('preClose', async () => {
        received = await converse(portOf(app), requestText('GET', '/', 'Connection: close'));
      });
      await serve(app);
      await app.close();
      expect(received).toContain('HTTP/1.1 503 Service Unavailable');
      expect(JSON.parse(received.split('\r\n\r\n')[1]!)).toMatchObject({
        type: 'about:blank',
        title: 'Service Unavailable',
        status: 503,
      });
    });

    test('a method that node does not know over HTTP/2 is answered as a problem', async () => {
      const http2 = allTransports.find(({ name }) => name === 'HTTP/2')!;
      const answer = await http2.ask(make({ errors: 'problem', http2: true }), { method: 'BREW' });
      expect(JSON.parse(await textOf(answer))).toEqual(
        blank(404, 'Not Found', { code: 'FST_ERR_NOT_FOUND' }),
      );
    });
  });
});
