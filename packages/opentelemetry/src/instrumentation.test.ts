/** Spans of requests, over every wire and with both flavors, recorded by the official SDK. */
import { Readable } from 'node:stream';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AlwaysOffSampler } from '@opentelemetry/sdk-trace-base';
import type { AmbitOptions, Context } from 'ambit';
import { describe, expect, test } from 'vitest';
import { flavors } from '../../ambit/test/support/flavors.ts';
import { LogLines } from '../../ambit/test/support/log-lines.ts';
import { forbidProcessFaults } from '../../ambit/test/support/process-faults.ts';
import { converse, lastRequest, request } from '../../ambit/test/support/raw-client.ts';
import { serve, servePort } from '../../ambit/test/support/serve.ts';
import { readUntil, textOf, transports } from '../../ambit/test/support/transports.ts';
import { Telemetry } from '../test/telemetry.ts';
import { requestSpan } from './index.ts';

forbidProcessFaults();

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${parentId}-01`;
const json = { 'content-type': 'application/json' };

/** Adds a route whose response has begun and goes on. */
function sendStream(app: Context): Readable {
  const stream = new Readable({ read() {} });
  stream.push('first');
  app.get('/', () => stream);
  return stream;
}

describe.each(flavors)('on %s', (_flavor, make) => {
  describe.each(transports)('over $name', ({ name, options, scheme, ask }) => {
    const create = (more: AmbitOptions = {}): Context => make({ ...options, ...more });

    test('a request has a server span, named by its route, with the attributes of the conventions', async () => {
      const telemetry = new Telemetry();
      const app = create();
      app.get('/users/:id', () => ({ ok: true }));
      await textOf(await ask(app, { path: '/users/7?page=2', headers: { 'user-agent': 'test/1' } }));
      const span = await telemetry.requestSpan();
      expect(span).toMatchObject({ name: 'GET /users/:id', kind: SpanKind.SERVER });
      expect(span.parentSpanContext).toBeUndefined();
      expect(span.status).toEqual({ code: SpanStatusCode.UNSET });
      expect(span.attributes).toMatchObject({
        'http.request.method': 'GET',
        'http.route': '/users/:id',
        'url.path': '/users/7',
        'url.query': 'page=2',
        'url.scheme': scheme,
        'user_agent.original': 'test/1',
        'http.response.status_code': 200,
      });
      expect(span.attributes['server.address']).toMatch(/^(localhost|127\.0\.0\.1)$/);
      expect(span.attributes['server.port']).toBeTypeOf('number');
      const versions = { fetch: undefined, 'HTTP/2': '2', 'HTTP/2 over TLS': '2' };
      const version = Object.hasOwn(versions, name) ? versions[name as keyof typeof versions] : '1.1';
      expect(span.attributes['network.protocol.version']).toBe(version);
    });

    test('the span continues the trace of the request, and is active in hooks and the handler', async () => {
      const telemetry = new Telemetry();
      const app = create();
      const seen: (string | undefined)[] = [];
      const note = async (): Promise<void> => {
        await null;
        seen.push(trace.getActiveSpan()?.spanContext().spanId);
      };
      app.addHook('onRequest', note);
      app.addHook('preHandler', note);
      app.addHook('onSend', note);
      app.post('/', async () => {
        await note();
        return {};
      });
      const body = Readable.from([Buffer.from('{}')]);
      await textOf(await ask(app, { method: 'POST', headers: { ...json, traceparent }, body }));
      const span = await telemetry.requestSpan();
      expect(span.spanContext().traceId).toBe(traceId);
      expect(span.parentSpanContext).toMatchObject({ spanId: parentId, isRemote: true });
      expect(seen).toEqual(Array(4).fill(span.spanContext().spanId));
    });

    test('an exception makes the span an error and is recorded', async () => {
      const telemetry = new Telemetry();
      const app = create();
      app.get('/', async () => {
        throw new TypeError('it broke');
      });
      expect((await ask(app)).status).toBe(500);
      const span = await telemetry.requestSpan();
      expect(span.status).toEqual({ code: SpanStatusCode.ERROR, message: 'it broke' });
      expect(span.attributes).toMatchObject({ 'http.response.status_code': 500, 'error.type': 'TypeError' });
      expect(span.events).toMatchObject([
        { name: 'exception', attributes: { 'exception.type': 'TypeError', 'exception.message': 'it broke' } },
      ]);
    });

    test('the span of a stream ends with the stream', async () => {
      const telemetry = new Telemetry();
      const app = create();
      const stream = sendStream(app);
      const answer = await ask(app);
      await readUntil(answer, 'first');
      expect(telemetry.spans).toEqual([]);
      stream.push('last');
      stream.push(null);
      expect(await readUntil(answer, 'last')).toContain('last');
      expect((await telemetry.requestSpan()).attributes['http.response.status_code']).toBe(200);
    });

    test('a stream that breaks is an error, whatever its status', async () => {
      const telemetry = new Telemetry();
      const app = create();
      const stream = sendStream(app);
      const answer = await ask(app);
      answer.content.on('error', () => {});
      await readUntil(answer, 'first');
      stream.destroy(new RangeError('the source broke'));
      const span = await telemetry.requestSpan();
      expect(span.status.code).toBe(SpanStatusCode.ERROR);
      expect(span.attributes).toMatchObject({
        'http.response.status_code': 200,
        'error.type': 'RangeError',
        'ambit.response.incomplete': true,
      });
    });

    test('the span of a request whose client left ends without a status and without an error', async () => {
      const telemetry = new Telemetry();
      const app = create();
      const leaving = new AbortController();
      app.get('/', () => {
        leaving.abort();
        return new Promise(() => {});
      });
      ask(app, { signal: leaving.signal }).catch(() => {});
      const span = await telemetry.requestSpan();
      expect(span.status.code).toBe(SpanStatusCode.UNSET);
      expect(span.attributes['ambit.response.incomplete']).toBe(true);
      expect(span.attributes).not.toHaveProperty(['http.response.status_code']);
      expect(span.attributes).not.toHaveProperty(['error.type']);
    });
  });

  const ended = async (app: Context, path: string, telemetry: Telemetry, init: object = {}) => {
    await app.inject({ url: path, ...init });
    return telemetry.requestSpan();
  };

  test('the span of a request without a route has only its method as its name', async () => {
    const telemetry = new Telemetry();
    const span = await ended(make(), '/wp-admin/7', telemetry);
    expect(span.name).toBe('GET');
    expect(span.attributes).toMatchObject({ 'http.response.status_code': 404, 'url.path': '/wp-admin/7' });
    expect(span.attributes).not.toHaveProperty(['http.route']);
    expect(span.status.code).toBe(SpanStatusCode.UNSET);
  });

  test('a response 4xx is not an error, even if an exception is its cause', async () => {
    const telemetry = new Telemetry();
    const app = make();
    app.post('/', { schema: { body: { type: 'object', required: ['a'] } } }, () => 'ok');
    const span = await ended(app, '/', telemetry, { method: 'POST', payload: {} });
    expect(span.attributes['http.response.status_code']).toBe(400);
    expect(span.status.code).toBe(SpanStatusCode.UNSET);
    expect(span.attributes).not.toHaveProperty(['error.type']);
    expect(span.events).toEqual([]);
  });

  test('a response 5xx without an exception has its status as the type of the error', async () => {
    const telemetry = new Telemetry();
    const app = make();
    app.get('/', (_request, reply) => reply.code(503).send('later'));
    const span = await ended(app, '/', telemetry);
    expect(span.attributes['error.type']).toBe('503');
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
  });

  test.each(['', 'junk', `00-${traceId}-${'0'.repeat(16)}-01`, `ff-${traceId}-${parentId}-01`])(
    'an invalid traceparent (%j) begins a new trace',
    async (invalid) => {
      const telemetry = new Telemetry();
      const span = await ended(make(), '/', telemetry, { headers: { traceparent: invalid } });
      expect(span.parentSpanContext).toBeUndefined();
      expect(span.spanContext().traceId).not.toBe(traceId);
    },
  );

  test('baggage of the request is in the context of the handler', async () => {
    new Telemetry();
    const app = make();
    app.get('/', () => ({ tenant: propagation.getActiveBaggage()?.getEntry('tenant')?.value }));
    const response = await app.inject({ url: '/', headers: { baggage: 'tenant=acme' } });
    expect(response.json()).toEqual({ tenant: 'acme' });
  });

  test('values that a hook adds to the context around `done` are kept', async () => {
    new Telemetry({ steps: true });
    const app = make();
    const key = Symbol('key');
    app.addHook('onRequest', (_request, _reply, done) => {
      context.with(context.active().setValue(key, 'from the hook'), done);
    });
    app.addHook('preHandler', async () => {});
    app.get('/', () => ({ value: context.active().getValue(key) }));
    expect((await app.inject('/')).json()).toEqual({ value: 'from the hook' });
  });

  test('spans of other libraries are children of the span of the request', async () => {
    const telemetry = new Telemetry();
    const app = make();
    app.get('/', async () => {
      await trace.getTracer('pg').startActiveSpan('SELECT', async (span) => {
        await null;
        span.end();
      });
      return 'ok';
    });
    const span = await ended(app, '/', telemetry);
    const query = telemetry.spans.find(({ name }) => name === 'SELECT');
    expect(query?.parentSpanContext?.spanId).toBe(span.spanContext().spanId);
  });

  test('the span of a request inside a span of other code is its child', async () => {
    const telemetry = new Telemetry();
    const app = make();
    app.get('/', () => 'ok');
    await trace.getTracer('host').startActiveSpan('host', async (span) => {
      await app.inject('/');
      span.end();
    });
    const [own, host] = telemetry.spans;
    expect(own).toMatchObject({ name: 'GET /', kind: SpanKind.INTERNAL });
    expect(own!.parentSpanContext?.spanId).toBe(host!.spanContext().spanId);
  });

  test.each([{}, { engine: 'node' }] as const)(
    'spans of requests that arrive together on one connection are not children of one another (%o)',
    async (options) => {
      const telemetry = new Telemetry();
      const app = make(options);
      app.get('/:n', async () => 'ok');
      const three = request('GET', '/1') + request('GET', '/2') + lastRequest('GET', '/3');
      await converse(await servePort(app), three);
      const spans = await telemetry.requestSpans(3);
      expect(spans.map((span) => span.parentSpanContext)).toEqual([undefined, undefined, undefined]);
      expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(3);
    },
  );

  test('the span around `listen` is not the parent of requests', async () => {
    const telemetry = new Telemetry();
    const app = make();
    app.get('/', () => 'ok');
    const origin = await trace.getTracer('boot').startActiveSpan('boot', async (span) => {
      const at = await serve(app);
      span.end();
      return at;
    });
    await (await fetch(origin)).text();
    expect((await telemetry.requestSpan()).parentSpanContext).toBeUndefined();
  });

  test('an unknown method is `_OTHER`, and its text is in another attribute', async () => {
    const telemetry = new Telemetry();
    const app = make();
    app.addHttpMethod('LOCK');
    app.route({ method: 'LOCK' as never, url: '/', handler: () => 'ok' });
    const span = await ended(app, '/', telemetry, { method: 'LOCK' });
    expect(span.name).toBe('HTTP /');
    expect(span.attributes).toMatchObject({
      'http.request.method': '_OTHER',
      'http.request.method_original': 'LOCK',
    });
  });

  test('a signed query string is recorded without its signature', async () => {
    const telemetry = new Telemetry();
    const span = await ended(make(), '/?a=1&sig=s3cret&Sign%61ture=t0p&b', telemetry);
    expect(span.attributes['url.query']).toBe('a=1&sig=REDACTED&Sign%61ture=REDACTED&b');
  });

  test('the address of the client is the address behind trusted proxies', async () => {
    const telemetry = new Telemetry();
    const app = make({ trustProxy: true });
    const headers = {
      host: 'inside:8080',
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'shop.example',
    };
    const span = await ended(app, '/', telemetry, { headers });
    expect(span.attributes).toMatchObject({
      'client.address': '203.0.113.7',
      'network.peer.address': '127.0.0.1',
      'url.scheme': 'https',
      'server.address': 'shop.example',
      'server.port': 443,
    });
  });

  test('an IPv6 host is recorded without brackets', async () => {
    const telemetry = new Telemetry();
    const span = await ended(make(), '/', telemetry, { headers: { host: '[::1]:3000' } });
    expect(span.attributes).toMatchObject({ 'server.address': '::1', 'server.port': 3000 });
  });

  test('with steps, the spans of hooks and the handler are children of the span of the request', async () => {
    const telemetry = new Telemetry({ steps: true });
    const app = make();
    app.addHook('onRequest', async function authenticate() {});
    app.addHook('preHandler', function load(_request, _reply, done) {
      done();
    });
    app.get('/', function readNote() {
      trace.getTracer('pg').startSpan('SELECT').end();
      requestSpan()?.setAttribute('note', 7);
      return { ok: true };
    });
    const span = await ended(app, '/', telemetry);
    const names = telemetry.spans.map(({ name }) => name);
    expect(names.filter((name) => name !== 'SELECT')).toEqual([
      'onRequest authenticate',
      'preHandler load',
      'handler',
      'serialize',
      'write',
      'GET /',
    ]);
    const steps = telemetry.spans.filter(({ name }) => name !== 'SELECT' && name !== 'GET /');
    const own = span.spanContext().spanId;
    expect(steps.map((step) => step.parentSpanContext?.spanId)).toEqual(steps.map(() => own));
    const query = telemetry.spans.find(({ name }) => name === 'SELECT')!;
    const handler = telemetry.spans.find(({ name }) => name === 'handler')!;
    expect(query.parentSpanContext?.spanId).toBe(handler.spanContext().spanId);
    expect(span.attributes.note).toBe(7);
  });

  test('with steps, the span of the step that fails has the exception', async () => {
    const telemetry = new Telemetry({ steps: ({ name }) => name === 'preHandler' });
    const app = make();
    app.addHook('preHandler', async () => {
      throw new Error('refused');
    });
    app.get('/', () => 'ok');
    await ended(app, '/', telemetry);
    const step = telemetry.spans.find(({ name }) => name === 'preHandler')!;
    expect(step.status).toEqual({ code: SpanStatusCode.ERROR, message: 'refused' });
    expect(step.events).toHaveLength(1);
    expect(telemetry.spans).toHaveLength(2);
  });

  test('log lines of a request have the ids of its span', async () => {
    const telemetry = new Telemetry();
    const lines = new LogLines();
    const app = make({ logger: { stream: lines } as never });
    app.get('/', (request) => {
      request.log.info('in the handler');
      return 'ok';
    });
    const span = await ended(app, '/', telemetry);
    await lines.until('request completed');
    const { traceId: trace_id, spanId: span_id } = span.spanContext();
    for (const text of ['incoming request', 'in the handler', 'request completed'])
      expect(lines.find(text)).toMatchObject({ trace_id, span_id, trace_flags: '01', reqId: 'req-1' });
  });

  test('with `logs: false`, log lines are as without OpenTelemetry', async () => {
    const telemetry = new Telemetry({ logs: false });
    const lines = new LogLines();
    const app = make({ logger: { stream: lines } as never });
    await ended(app, '/', telemetry);
    expect(lines.find('incoming request')).not.toHaveProperty('trace_id');
  });

  test('ignored requests and routes with `otel: false` have no span', async () => {
    const telemetry = new Telemetry({ ignore: ({ url }) => url.startsWith('/assets/') });
    const app = make({ health: true });
    app.get('/assets/*', () => 'file');
    app.get('/silent', { config: { otel: false } as never }, () => 'ok');
    app.get('/', () => 'ok');
    for (const url of ['/assets/a.css', '/silent', '/livez', '/']) await app.inject(url);
    expect(telemetry.spans.map(({ name }) => name)).toEqual(['GET /']);
  });

  test('hooks can add attributes when the span starts and before it ends', async () => {
    const telemetry = new Telemetry({
      requestHook: (span, request) => void span.setAttribute('id', request.id),
      responseHook: (span, _request, reply) =>
        void span.setAttribute('type', reply.getHeader('content-type') as string),
    });
    const app = make();
    app.get('/', () => ({}));
    const span = await ended(app, '/', telemetry);
    expect(span.attributes).toMatchObject({ id: 'req-1', type: 'application/json; charset=utf-8' });
  });

  test('options that throw change nothing about the response or the span', async () => {
    const fail = (): never => {
      throw new Error('broken option');
    };
    const telemetry = new Telemetry({ ignore: fail, requestHook: fail, responseHook: fail, steps: fail });
    const app = make();
    app.get('/', () => 'ok');
    expect((await app.inject('/')).body).toBe('ok');
    expect((await telemetry.requestSpan()).name).toBe('GET /');
  });

  test('an error with fields that throw still ends the span', async () => {
    const telemetry = new Telemetry();
    const app = make();
    const error = new Error('hidden');
    Object.defineProperty(error, 'message', {
      get() {
        throw new Error('trap');
      },
    });
    app.get('/', () => {
      throw error;
    });
    const span = await ended(app, '/', telemetry);
    expect(span.attributes['http.response.status_code']).toBe(500);
  });

  test('spans that are not sampled are not recorded, but are active', async () => {
    const telemetry = new Telemetry({}, new AlwaysOffSampler());
    const app = make();
    app.get('/', () => ({ isActive: trace.getActiveSpan() !== undefined }));
    expect((await app.inject('/')).json()).toEqual({ isActive: true });
    expect(telemetry.spans).toEqual([]);
  });

  test('the HTTP engine still serves the connections', async () => {
    const telemetry = new Telemetry({ steps: true });
    const app = make();
    // Node's server leaves its parser at each socket that it serves.
    app.get('/', ({ socket }) => ({ isNodes: (socket as { parser?: unknown }).parser != null }));
    expect(await (await fetch(await serve(app))).json()).toEqual({ isNodes: false });
    await telemetry.requestSpan();
  });
});
