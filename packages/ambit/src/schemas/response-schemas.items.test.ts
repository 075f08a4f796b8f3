/** Where item schemas are allowed, what they may describe, and what is refused at boot. */
import { ambit, type CodedError, type Context, type Reply, type Request } from 'ambit';
import { describe, expect, test } from 'vitest';
import { compileAhead } from '../../test/support/built.ts';
import { flavors } from '../../test/support/flavors.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';

forbidProcessFaults();

const row = { type: 'object', properties: { id: { type: 'integer' } } };

async function* rows(): AsyncGenerator<object> {
  yield { id: 1, secret: true };
  yield { id: 2, secret: true };
}

const content = (media: object, status = '200') => ({ response: { [status]: { content: media } } }) as never;

function fault(app: Context): Promise<CodedError> {
  return app.ready().then(
    () => expect.fail('boot succeeded'),
    (error: CodedError) => error,
  );
}

describe.each(flavors)('on %s', (_flavor, make) => {
  for (const [what, schema, part, reason] of [
    [
      'a media type without a framing',
      content({ 'text/csv': { itemSchema: row } }),
      'response 200 (text/csv)',
      "no framing of items is known for the media type 'text/csv'; known are text/event-stream, application/jsonl,",
    ],
    [
      'a media type without a framing, in spite of a schema beside it',
      content({ 'multipart/mixed': { schema: {}, itemSchema: row } }),
      'response 200 (multipart/mixed)',
      'no framing of items is known',
    ],
    ...['204', '205', '304', '404', '5xx', 'default'].map(
      (status) =>
        [
          `the status ${status}`,
          content({ 'application/x-ndjson': { itemSchema: row } }, status),
          `response ${status} (application/x-ndjson)`,
          `a response ${status} does not stream`,
        ] as const,
    ),
    [
      'no media type',
      { response: { 200: { itemSchema: row } } },
      'response 200',
      'an item schema belongs to a media type',
    ],
    [
      'an event that is not an object',
      content({ 'text/event-stream': { itemSchema: { type: 'string' } } }),
      'response 200 (text/event-stream)',
      'an item of text/event-stream is an event, so its type is object, not string',
    ],
    [
      'an event with a field that events do not have',
      content({ 'text/event-stream': { itemSchema: { type: 'object', properties: { cents: {} } } } }),
      'response 200 (text/event-stream)',
      "not 'cents'; put it in `data`",
    ],
    [
      'a kind of event with a field that events do not have',
      content({ 'text/event-stream': { itemSchema: { oneOf: [{ properties: { price: {} } }] } } }),
      'response 200 (text/event-stream)',
      "not 'price'; put it in `data`",
    ],
    [
      'a schema that does not compile',
      content({ 'application/x-ndjson': { itemSchema: { $ref: 'missing#' } } }),
      'response 200 (application/x-ndjson)',
      'missing#',
    ],
  ] as const) {
    test(`an item schema for ${what} fails the boot, with the route and the part`, async () => {
      const app = make();
      app.get('/rows', { schema: schema as never }, rows as never);
      expect(await fault(app)).toMatchObject({
        code: 'FST_ERR_SCH_SERIALIZATION_BUILD',
        message: expect.stringContaining(reason),
        where: { route: 'GET /rows', part, file: expect.stringContaining('response-schemas.items.test.ts') },
      });
    });
  }

  test('an item schema in a request body is no schema', async () => {
    const app = make();
    app.post(
      '/',
      { schema: { body: { content: { 'application/x-ndjson': { itemSchema: row } } } } },
      () => '',
    );
    expect(await fault(app)).toMatchObject({ code: 'FST_ERR_SCH_CONTENT_MISSING_SCHEMA' });
  });

  test('a value in place of an iterable is an error, and is not sent without a schema', async () => {
    const app = make();
    app.get('/json', { schema: content({ 'application/json': { itemSchema: row } }) }, (() => [
      { id: 1, secret: true },
    ]) as never);
    app.get('/events', { schema: content({ 'text/event-stream': { itemSchema: {} } }) }, (() => ({
      secret: true,
    })) as never);
    for (const url of ['/json', '/events']) {
      const reply = await app.inject(url);
      expect([reply.statusCode, reply.json()]).toMatchObject([500, { code: 'AMBIT_ERR_ITEMS_EXPECTED' }]);
      expect(reply.body).not.toContain('secret');
    }
  });

  test('a schema of the whole and an item schema may stand beside one another', async () => {
    const app = make();
    const both = content({
      'application/json': { schema: { type: 'array', items: row } },
      'application/x-ndjson': { itemSchema: row },
    });
    app.get('/', { schema: both }, ((request: Request, reply: Reply) =>
      request.headers.accept === 'application/x-ndjson'
        ? reply.type('application/x-ndjson').send(rows())
        : [{ id: 7, secret: true }]) as never);
    expect((await app.inject('/')).body).toBe('[{"id":7}]');
    const lines = await app.inject({ url: '/', headers: { accept: 'application/x-ndjson' } });
    expect(lines.body).toBe('{"id":1}\n{"id":2}\n');
  });

  test('a media type without an item schema is refused when the first item comes', async () => {
    const app = make();
    app.get('/', { schema: content({ 'application/x-ndjson': { itemSchema: row } }) }, ((
      _: Request,
      reply: Reply,
    ) => reply.type('text/csv').send(rows())) as never);
    const reply = await app.inject('/');
    expect([reply.statusCode, reply.json()]).toMatchObject([500, { code: 'AMBIT_ERR_ASYNC_ITERABLE_SENT' }]);
  });

  test('the short form describes items, and plugins read it in full', async () => {
    const app = make();
    let seen: unknown;
    app.get(
      '/',
      { schema: content({ 'application/x-ndjson': { itemSchema: { id: { type: 'integer' } } } }) },
      ((request: Request) => {
        seen = request.routeOptions.schema;
        return rows();
      }) as never,
    );
    expect((await app.inject('/')).body).toBe('{"id":1}\n{"id":2}\n');
    expect(seen).toEqual(content({ 'application/x-ndjson': { itemSchema: row } }));
  });

  test('an item schema may refer to shared schemas', async () => {
    const app = make();
    app.addSchema({ $id: 'row', ...row });
    app.get(
      '/',
      { schema: content({ 'application/json': { itemSchema: { $ref: 'row#' } } }) },
      rows as never,
    );
    expect((await app.inject('/')).body).toBe('[{"id":1},{"id":2}]');
  });

  test("a serializer compiler of the application's own serializes items, in one line each", async () => {
    const app = make();
    const schema = content({ 'application/x-ndjson': { itemSchema: row } });
    const serializerCompiler = () => (item: unknown) => JSON.stringify(item, null, 1);
    app.get('/', { schema, serializerCompiler: serializerCompiler as never }, rows as never);
    expect((await app.inject('/')).body.split('\n').map((line) => line && JSON.parse(line))).toEqual([
      { id: 1, secret: true },
      { id: 2, secret: true },
      '',
    ]);
  });

  test('streams of bytes pass as they are', async () => {
    const app = make();
    app.get('/', { schema: content({ 'application/x-ndjson': { itemSchema: row } }) }, ((
      _: Request,
      reply: Reply,
    ) => reply.type('application/x-ndjson').send(new Blob(['raw']).stream())) as never);
    expect((await app.inject('/')).body).toBe('raw');
  });

  test('a build compiles item schemas, and the application that uses it streams by them', async () => {
    const declare = (app: Context) =>
      app.get('/', { schema: content({ 'application/x-ndjson': { itemSchema: row } }) }, rows as never);
    const built = make();
    declare(built);
    const app = make({ compiled: await compileAhead(built) } as never);
    declare(app);
    expect((await app.inject('/')).body).toBe('{"id":1}\n{"id":2}\n');
  });
});

// The facade ignores them, as Fastify does.
describe('on ambit', () => {
  test('an async generator as a handler needs an item schema: a schema of the whole response is not one', async () => {
    const app = ambit();
    app.get('/', { schema: content({ 'text/event-stream': { schema: row } }) }, rows as never);
    expect(await fault(app)).toMatchObject({
      code: 'AMBIT_ERR_HANDLER_IS_GENERATOR',
      message: expect.stringContaining("{ 'text/event-stream': { itemSchema } }"),
      where: { route: 'GET /' },
    });
  });

  test('a generator that is not async is refused in spite of an item schema', async () => {
    const app = ambit();
    const handler = function* () {
      yield { id: 1 };
    };
    app.get('/', { schema: content({ 'application/json': { itemSchema: row } }) }, handler as never);
    expect(await fault(app)).toMatchObject({ code: 'AMBIT_ERR_HANDLER_IS_GENERATOR' });
  });

  for (const [problem, stream] of [
    ['stream.heartbeatMs must be an integer from 1', { heartbeatMs: 0 }],
    ['stream.heartbeatMs must be an integer from 1', { heartbeatMs: true }],
    ['stream.heartbeatMs must be an integer from 1', { heartbeatMs: 2 ** 31 }],
    ['stream.closeMs must be an integer from 0', { closeMs: -1 }],
    ['stream.closeMs must be an integer from 0', { closeMs: false }],
    ["unknown option 'heartbeat' of the stream of route GET /", { heartbeat: 1 }],
    ['stream must be object', true],
  ] as const) {
    test(`the option stream: ${JSON.stringify(stream)} is refused`, () => {
      expect(() => ambit().get('/', { stream: stream as never }, () => '')).toThrow(problem);
    });
  }
});
