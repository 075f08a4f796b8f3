// Libraries that observe node's server see every request, because node serves their connections; `@fastify/otel`, which works through
// hooks, sees what the engine serves.
import { describe, expect, test } from 'vitest';
import { casesOfLevel } from './support/level.mjs';
import { application, nodeOf, run } from './support/run.mjs';

// What the client of the programs sends and gets: see programs/observers/serve.cjs.
const statuses = [200, 201, 500, 404];
const client = { trace: 'a'.repeat(32), parent: 'b'.repeat(16) };

/** What the counters and the log say if node serves all connections. */
function servedByNode(reason, cause) {
  const msg = `node:http serves the connections, not the HTTP engine: ${cause}`;
  return { byEngine: 0, reasons: [reason], lines: [{ level: 30, msg }] };
}
const emitReplaced = servedByNode('emit', "the server's `emit` was replaced");
const servedByEngine = { byEngine: statuses.length, reasons: [], lines: [] };

/** The span of a request: the routes that exist have a name. */
const requestSpan = (method, status, route) => ({ method, status, ...route, hasFailed: status === 500 });
const [found, created, thrown, missing] = [
  requestSpan('GET', 200, { route: '/notes/:id' }),
  requestSpan('POST', 201, { route: '/notes' }),
  requestSpan('GET', 500, { route: '/thrown' }),
  requestSpan('GET', 404),
];

/** The oldest and the newest version of Node are in CI, and both flavors. */
const inCi = ['20 fastify', '26 ambit'];
const cases = ['20', '24', '26'].flatMap((major) =>
  ['ambit', 'fastify'].map((flavor) => ({ major, flavor, inCi: inCi.includes(`${major} ${flavor}`) })),
);

describe.each(casesOfLevel(cases))('on Node $major, with $flavor', ({ major, flavor }) => {
  const print = async (program, ...args) =>
    JSON.parse(await run(application, nodeOf(major), [`observers/${program}`, flavor, ...args]));

  test.each(['before listen', 'after listen'])(
    'socket.io, attached %s, exchanges events by polling and by WebSocket, beside the routes',
    async (moment) => {
      expect(await print('socket-io.cjs', moment)).toEqual({
        events: [
          ['polling 41', 42],
          ['websocket 41', 42],
        ],
        statuses,
        served: servedByNode('request-listener', "the server has another listener of 'request'"),
      });
    },
  );

  test("OpenTelemetry's instrumentation of node:http makes a span of each request, in the trace of the client", async () => {
    const { spans, ...rest } = await print('instrumentation-http.cjs');
    const span = ({ route: _, ...request }) => ({
      name: request.method,
      kind: 'SERVER',
      ...client,
      ...request,
    });
    expect(spans).toEqual([found, created, thrown, missing].map(span));
    expect(rest).toEqual({ statuses, active: statuses.map(() => client.trace), served: emitReplaced });
  });

  const handlerSpan = ({ route, hasFailed }) => ({
    name: `handler - ${flavor} -> @fastify/otel`,
    kind: 'INTERNAL',
    trace: client.trace,
    parent: 'request',
    route,
    hasFailed,
  });
  const rootSpan = (request) => ({ name: 'request', kind: 'SERVER', ...client, ...request });

  test.each([
    ['the engine', 'alone', servedByEngine],
    ['node', 'without the engine', { byEngine: 0, reasons: [], lines: [] }],
  ])(
    '@fastify/otel makes spans with the names of the routes when %s serves the requests',
    async (_lane, setup, served) => {
      const printed = await print('fastify-otel.cjs', setup);
      expect(printed.spans).toEqual([
        ...[found, created, thrown].flatMap((request) => [handlerSpan(request), rootSpan(request)]),
        rootSpan(missing),
      ]);
      expect(printed).toMatchObject({ statuses, served });
    },
  );

  test('@fastify/otel tells the instrumentation of node:http the names of the routes', async () => {
    const printed = await print('fastify-otel.cjs', 'with instrumentation-http');
    const pair = (request, name) => [
      { name: 'request', kind: 'INTERNAL', trace: client.trace, parent: name, ...request },
      { name, kind: 'SERVER', ...client, ...request },
    ];
    expect(printed.spans).toEqual([
      ...[found, created, thrown].flatMap((request) => [
        handlerSpan(request),
        ...pair(request, `${request.method} ${request.route}`),
      ]),
      ...pair(missing, 'GET'),
    ]);
    expect(printed).toMatchObject({ statuses, served: emitReplaced });
  });

  // What the agent calls a request without a route; in `ambit`, the hook of the program names it.
  const unknownRoute = { ambit: 'GET unknown route', fastify: 'undefined undefined' }[flavor];

  test("Elastic's agent makes a transaction of each request, with the name of its route", async () => {
    const transaction = (name, result) => ({ name, type: 'request', result, ...client });
    expect(await print('elastic.cjs')).toEqual({
      statuses,
      transactions: [
        transaction('GET /notes/:id', 'HTTP 2xx'),
        transaction('POST /notes', 'HTTP 2xx'),
        transaction('GET /thrown', 'HTTP 5xx'),
        transaction(unknownRoute, 'HTTP 4xx'),
      ],
      errors: [['no notes', client.trace]],
      served: emitReplaced,
    });
  });
});

test('@fastify/otel registers itself with the facade, and sees what the engine serves', async () => {
  const program = ['observers/fastify-otel.cjs', 'fastify', 'by itself'];
  const { spans, served } = JSON.parse(await run(application, nodeOf('24'), program));
  expect(spans.filter(({ name }) => name === 'request').map(({ route }) => route)).toEqual([
    '/notes/:id',
    '/notes',
    '/thrown',
    undefined,
  ]);
  expect(served).toEqual(servedByEngine);
});
