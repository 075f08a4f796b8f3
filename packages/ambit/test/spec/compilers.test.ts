// Spec 4.3: the replaceable compilers, the formatter and the error handler.
import { ambit, type Context, type SerializerRequest, type ValidatorRequest } from 'ambit';
import { expect, test } from 'vitest';

const number = { n: { type: 'integer' } };
const full = { type: 'object', properties: number };

// ------------------------------------------------------------------------------------------------ setValidatorCompiler

test('the validator compiler is given schema, method, url and httpPart, once per part', async () => {
  const app = ambit();
  const given: ValidatorRequest[] = [];
  app.setValidatorCompiler((request) => {
    given.push(request);
    return () => true;
  });
  app.register(
    async (context) => {
      context.post(
        '/:n',
        { schema: { body: full, params: full, querystring: full, headers: full } },
        () => 'ok',
      );
    },
    { prefix: '/v1' },
  );
  await app.ready();
  const parts = given.map(({ httpPart }) => httpPart).sort();
  expect(parts).toEqual(['body', 'headers', 'params', 'querystring']);
  for (const { schema, method, url } of given)
    expect({ schema, method, url }).toEqual({ schema: full, method: 'POST', url: '/v1/:n' });
});

test('the validator compiler compiles at boot, not at each request', async () => {
  const app = ambit();
  let compiled = 0;
  app.setValidatorCompiler(() => {
    compiled++;
    return () => true;
  });
  app.get('/', { schema: { querystring: full }, exposeHeadRoute: false }, () => 'ok');
  await app.inject('/');
  await app.inject('/');
  expect(compiled).toBe(1);
});

test('a validator may answer like the engine: true, or false with errors', async () => {
  const app = ambit();
  app.setValidatorCompiler(() =>
    Object.assign((data: unknown) => (data as { ok?: string }).ok === 'yes', {
      errors: [{ keyword: 'ok', instancePath: '/ok', schemaPath: '', params: {}, message: 'must be yes' }],
    }),
  );
  app.get('/', { schema: { querystring: full } }, () => 'ran');
  expect((await app.inject('/?ok=yes')).body).toBe('ran');
  expect((await app.inject('/?ok=no')).json()).toMatchObject({
    statusCode: 400,
    message: 'querystring/ok should be yes',
  });
});

for (const [what, value] of [
  ['an object', { n: 1 }],
  ['a scalar', 5],
  ['null', null],
  ['an empty string', ''],
] as const) {
  test(`the value of { value } replaces the part: ${what}`, async () => {
    const app = ambit();
    app.setValidatorCompiler(() => () => ({ value }));
    app.post('/', { schema: { body: full } }, (request) => ({ body: request.body }));
    expect((await app.inject({ method: 'POST', url: '/', body: { n: 'x' } })).json()).toEqual({
      body: value,
    });
  });
}

test('{ error } fails the request', async () => {
  const app = ambit();
  app.setValidatorCompiler(() => () => ({ error: new Error('not this') }));
  app.get('/', { schema: { querystring: full } }, () => 'ran');
  expect((await app.inject('/')).json()).toMatchObject({
    statusCode: 400,
    error: 'Bad Request',
    message: 'not this',
  });
});

test('a validator may answer with a promise of any of these, which is never taken for success', async () => {
  const app = ambit();
  const answers: { [name: string]: unknown } = {
    true: true,
    false: false,
    value: { value: { n: 7 } },
    error: { error: new Error('refused later') },
  };
  app.setValidatorCompiler(() => async (data) => answers[(data as { is: string }).is]);
  app.get('/', { schema: { querystring: full } }, (request) => request.query);
  expect((await app.inject('/?is=true')).json()).toEqual({ is: 'true' });
  expect((await app.inject('/?is=value')).json()).toEqual({ n: 7 });
  expect((await app.inject('/?is=false')).statusCode).toBe(400);
  expect((await app.inject('/?is=error')).json()).toMatchObject({
    statusCode: 400,
    message: 'refused later',
  });
});

for (const [what, status, validator] of [
  [
    'throws',
    500,
    () => {
      throw new Error('broken');
    },
  ],
  [
    'rejects',
    400,
    async () => {
      throw new Error('broken');
    },
  ],
] as const) {
  test(`a validator that ${what} is answered with ${status}: an error of the request, never of the process`, async () => {
    const app = ambit();
    app.setValidatorCompiler(() => validator);
    app.get('/', { schema: { querystring: full } }, () => 'ran');
    app.get('/other', () => 'still up');
    expect((await app.inject('/')).json()).toMatchObject({ statusCode: status, message: 'broken' });
    expect((await app.inject('/other')).body).toBe('still up');
  });
}

test('a validator compiler applies in its context and below, not beside or above', async () => {
  const app = ambit();
  const schema = { querystring: full };
  app.get('/root', { schema }, () => 'ok');
  app.register(async (child) => {
    child.setValidatorCompiler(() => () => ({ error: new Error('custom') }));
    child.get('/child', { schema }, () => 'ok');
    child.register(async (grandchild) => {
      grandchild.get('/grandchild', { schema }, () => 'ok');
    });
  });
  app.register(async (sibling) => {
    sibling.get('/sibling', { schema }, () => 'ok');
  });
  expect((await app.inject('/root')).statusCode).toBe(200);
  expect((await app.inject('/sibling')).statusCode).toBe(200);
  expect((await app.inject('/child')).json<{ message: string }>().message).toBe('custom');
  expect((await app.inject('/grandchild')).json<{ message: string }>().message).toBe('custom');
});

test('a compiler that throws, naming the missing part, fails the boot with the place of the route', async () => {
  const app = ambit();
  const known: { [part: string]: true } = { body: true };
  app.setValidatorCompiler(({ httpPart }) => {
    if (!known[httpPart!]) throw new Error(`no compiler for ${httpPart}`);
    return () => true;
  });
  app.get('/pets', { schema: { querystring: full } }, () => 'ok');
  await expect(app.ready()).rejects.toMatchObject({
    code: 'FST_ERR_SCH_VALIDATION_BUILD',
    message: expect.stringContaining('no compiler for querystring'),
    cause: { message: 'no compiler for querystring' },
    where: { plugin: 'ambit', route: 'GET /pets' },
  });
});

test('validatorCompiler tells the compiler in use: none before boot, the one that was set, the one that was built', async () => {
  const app = ambit();
  expect(app.validatorCompiler).toBeUndefined();
  app.get('/', { schema: { querystring: full } }, () => 'ok');
  await app.ready();
  expect(typeof app.validatorCompiler).toBe('function');
  const other = ambit();
  const compiler = () => () => true;
  other.setValidatorCompiler(compiler);
  expect(other.validatorCompiler).toBe(compiler);
});

// ----------------------------------------------------------------------------------------------- setSerializerCompiler

test('the serializer compiler is given schema, method, url, httpStatus and contentType', async () => {
  const app = ambit();
  const given: SerializerRequest[] = [];
  app.setSerializerCompiler((request) => {
    given.push(request);
    return () => 'text';
  });
  const response = { 200: full, '4xx': { content: { 'application/json': { schema: full } } } };
  app.post('/pets', { schema: { response } }, () => 'ok');
  await app.ready();
  expect(given).toEqual([
    { schema: full, method: 'POST', url: '/pets', httpStatus: '200' },
    { schema: full, method: 'POST', url: '/pets', httpStatus: '4xx', contentType: 'application/json' },
  ]);
});

test('the serializer compiler applies to every route that defines a response schema, and to no other', async () => {
  const app = ambit();
  app.setSerializerCompiler(() => (data) => `custom ${JSON.stringify(data)}`);
  app.get('/with', { schema: { response: { 200: full } } }, () => ({ n: 1 }));
  app.get('/without', () => ({ n: 1 }));
  expect((await app.inject('/with')).body).toBe('custom {"n":1}');
  expect((await app.inject('/without')).body).toBe('{"n":1}');
});

test('a serializer compiler applies in its context and below, not beside it', async () => {
  const app = ambit();
  const schema = { response: { 200: full } };
  app.register(async (child) => {
    child.setSerializerCompiler(() => () => '"custom"');
    child.get('/child', { schema }, () => ({ n: 1 }));
  });
  app.register(async (sibling) => {
    sibling.get('/sibling', { schema }, () => ({ n: 1 }));
  });
  expect((await app.inject('/child')).json()).toBe('custom');
  expect((await app.inject('/sibling')).json()).toEqual({ n: 1 });
});

test('a route may have a serializer compiler of its own, which wins', async () => {
  const app = ambit();
  app.setSerializerCompiler(() => () => '"context"');
  const schema = { response: { 200: full } };
  app.get('/own', { schema, serializerCompiler: () => () => '"route"' }, () => ({ n: 1 }));
  app.get('/other', { schema }, () => ({ n: 1 }));
  expect((await app.inject('/own')).json()).toBe('route');
  expect((await app.inject('/other')).json()).toBe('context');
});

test('a serializer compiler that returns no function fails the boot and names the route', async () => {
  const app = ambit();
  app.setSerializerCompiler((() => 'text') as never);
  app.get('/pets', { schema: { response: { 200: full } } }, () => 1);
  await expect(app.ready()).rejects.toMatchObject({
    code: 'FST_ERR_SCH_SERIALIZATION_BUILD',
    cause: { code: 'AMBIT_ERR_SERIALIZER_NOT_FUNCTION' },
    where: { plugin: 'ambit', route: 'GET /pets' },
  });
});

test('a serializer that throws is answered with 500', async () => {
  const app = ambit();
  app.setSerializerCompiler(() => () => {
    throw new Error('broken');
  });
  app.get('/', { schema: { response: { 200: full } } }, () => ({ n: 1 }));
  expect((await app.inject('/')).json()).toMatchObject({ statusCode: 500, message: 'broken' });
});

test('a serializer that returns no string is an error of the request', async () => {
  const app = ambit();
  app.setSerializerCompiler((() => () => 5) as never);
  app.get('/', { schema: { response: { 200: full } } }, () => ({ n: 1 }));
  expect((await app.inject('/')).json()).toMatchObject({
    statusCode: 500,
    code: 'FST_ERR_REP_INVALID_PAYLOAD_TYPE',
  });
});

// ----------------------------------------------------------------------------------------------------- reply.serializer

test('reply.serializer sets the serializer of one reply', async () => {
  const app = ambit();
  app.get('/', { schema: { response: { 200: full } } }, (request, reply) => {
    reply.serializer((payload: unknown) => `own ${JSON.stringify(payload)}`);
    return reply.send({ n: 1, url: request.url });
  });
  app.get('/plain', { schema: { response: { 200: full } } }, () => ({ n: 1, more: 2 }));
  expect((await app.inject('/')).body).toBe('own {"n":1,"url":"/"}');
  expect((await app.inject('/plain')).json()).toEqual({ n: 1 });
});

// --------------------------------------------------------------------------------------------- setSchemaErrorFormatter

for (const way of ['setter', 'option'] as const) {
  const install = {
    setter: (formatter: (this: Context, problems: unknown[], dataVar: string) => Error) =>
      ambit().setSchemaErrorFormatter(formatter),
    option: (formatter: (this: Context, problems: unknown[], dataVar: string) => Error) =>
      ambit({ schemaErrorFormatter: formatter }),
  }[way];

  test(`the schema error formatter given by ${way} builds the error of failed validations`, async () => {
    const app = install((problems, dataVar) => new Error(`${problems.length} in ${dataVar}`));
    app.get('/', { schema: { querystring: full } }, () => 'ok');
    expect((await app.inject('/?n=x')).json()).toMatchObject({
      statusCode: 400,
      message: '1 in querystring',
    });
  });

  test(`this in the formatter given by ${way} is the server instance`, async () => {
    const received: unknown[] = [];
    const app = install(function (this: Context) {
      received.push(this);
      return new Error('formatted');
    });
    app.get('/', { schema: { querystring: full } }, () => 'ok');
    await app.inject('/?n=x');
    expect(received).toHaveLength(1);
    expect(received[0]).toBe(app);
  });

  for (const [what, formatter] of [
    ['an async function', async () => new Error('later')],
    ['a string', 'formatter'],
  ] as const) {
    test(`the formatter given by ${way} must be synchronous and a function: ${what} is refused`, () => {
      expect(() => install(formatter as never)).toThrow(
        expect.objectContaining({ code: 'FST_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN' }),
      );
    });
  }

  for (const [what, returned] of [
    ['a string', 'message'],
    ['undefined', undefined],
    ['null', null],
    ['an object', { message: 'm' }],
  ] as const) {
    test(`the formatter given by ${way} must return an Error: ${what} is an error of the server`, async () => {
      const app = install((() => returned) as never);
      app.get('/', { schema: { querystring: full } }, () => 'ran');
      expect((await app.inject('/?n=x')).json()).toMatchObject({
        statusCode: 500,
        code: 'AMBIT_ERR_SCHEMA_ERROR_FORMATTER_RESULT',
      });
    });
  }
}

test('an error that carries its own status keeps it', async () => {
  const app = ambit({ schemaErrorFormatter: () => Object.assign(new Error('teapot'), { statusCode: 418 }) });
  app.get('/', { schema: { querystring: full } }, () => 'ok');
  expect((await app.inject('/?n=x')).statusCode).toBe(418);
});

test('a formatter that throws fails the request, not the process', async () => {
  const app = ambit({
    schemaErrorFormatter: () => {
      throw new Error('broken formatter');
    },
  });
  app.get('/', { schema: { querystring: full } }, () => 'ran');
  expect((await app.inject('/?n=x')).json()).toMatchObject({ statusCode: 500, message: 'broken formatter' });
});

test('a formatter applies in its context and below, not beside it; the nearest wins, a route before all', async () => {
  const app = ambit({ schemaErrorFormatter: () => new Error('root') });
  const schema = { querystring: full };
  app.get('/root', { schema }, () => 'ok');
  app.register(async (child) => {
    child.setSchemaErrorFormatter(() => new Error('child'));
    child.get('/child', { schema }, () => 'ok');
    child.get('/route', { schema, schemaErrorFormatter: () => new Error('route') }, () => 'ok');
  });
  app.register(async (sibling) => {
    sibling.get('/sibling', { schema }, () => 'ok');
  });
  const message = async (url: string) => (await app.inject(`${url}?n=x`)).json<{ message: string }>().message;
  expect(await message('/root')).toBe('root');
  expect(await message('/child')).toBe('child');
  expect(await message('/route')).toBe('route');
  expect(await message('/sibling')).toBe('root');
});

// ---------------------------------------------------------------------------------------------------- setErrorHandler

test('setErrorHandler replaces the default error handler', async () => {
  const app = ambit();
  app.setErrorHandler((error, request, reply) => {
    reply.code(422).send({ failed: error.message, on: request.url, context: error.validationContext });
  });
  app.get('/', { schema: { querystring: full } }, () => 'ok');
  const reply = await app.inject('/?n=x');
  expect(reply.statusCode).toBe(422);
  expect(reply.json()).toEqual({ failed: 'querystring/n should be integer', on: '/?n=x', context: 'query' });
});

test('an error handler applies in its context and below, not beside it', async () => {
  const app = ambit();
  const fail = () => {
    throw new Error('failed');
  };
  app.register(async (child) => {
    child.setErrorHandler((_error, _request, reply) => {
      reply.code(418).send('child');
    });
    child.get('/child', fail);
    child.register(async (grandchild) => {
      grandchild.get('/grandchild', fail);
    });
  });
  app.register(async (sibling) => {
    sibling.get('/sibling', fail);
  });
  expect((await app.inject('/child')).statusCode).toBe(418);
  expect((await app.inject('/grandchild')).statusCode).toBe(418);
  expect((await app.inject('/sibling')).statusCode).toBe(500);
});

test('an error handler that is no function is refused, with the context and the caller', () => {
  const app = ambit();
  expect(() => app.setErrorHandler('handler' as never)).toThrow(
    expect.objectContaining({
      code: 'FST_ERR_ERROR_HANDLER_NOT_FN',
      where: { plugin: 'ambit', file: expect.stringContaining('compilers.test') },
    }),
  );
});

for (const call of [
  'setValidatorCompiler',
  'setSerializerCompiler',
  'setSchemaErrorFormatter',
  'setErrorHandler',
] as const) {
  test(`${call} is refused once the application has started`, async () => {
    const app = ambit();
    await app.ready();
    expect(() => app[call]((() => () => true) as never)).toThrow(
      expect.objectContaining({
        code: 'FST_ERR_INSTANCE_ALREADY_LISTENING',
        message: expect.stringContaining(call),
      }),
    );
  });

  test(`${call} returns the context`, () => {
    const app = ambit();
    expect(app[call]((() => () => true) as never)).toBe(app);
  });
}
