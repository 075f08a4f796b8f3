/** How the instrumentation starts and stops, and its clear errors. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SpanStatusCode, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { ambit } from 'ambit';
import { expect, onTestFinished, test } from 'vitest';
import { Telemetry } from '../test/telemetry.ts';
import { AmbitInstrumentation, requestSpan } from './index.ts';
import { readKnownMethods } from './request-attributes.ts';
import { version } from './version.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));

test('the version is that of the package', () => {
  expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version).toBe(version);
});

test('a second instrumentation is rejected until the first one is disabled', () => {
  const { instrumentation } = new Telemetry();
  expect(() => new AmbitInstrumentation()).toThrow(
    expect.objectContaining({ code: 'AMBIT_ERR_OPENTELEMETRY_ENABLED_TWICE' }),
  );
  instrumentation.enable();
  instrumentation.disable();
  instrumentation.disable();
  const second = new AmbitInstrumentation();
  expect(second.getConfig().enabled).toBe(true);
  second.disable();
  expect(second.getConfig().enabled).toBe(false);
});

test.each([
  [{ stpes: true }, "AmbitInstrumentation: unknown option 'stpes'; it has enabled, ignore, steps"],
  [{ steps: 'all' }, 'AmbitInstrumentation: steps must be a boolean or a function'],
  [{ ignore: ['/health'] }, 'AmbitInstrumentation: ignore must be a function'],
  [{ requestHook: true }, 'AmbitInstrumentation: requestHook must be a function'],
  [{ logs: 'no' }, 'AmbitInstrumentation: logs must be a boolean'],
  [
    { redactedQueryParameters: [7] },
    'AmbitInstrumentation: redactedQueryParameters must be an array of names',
  ],
])('the option %j is rejected', (options, message) => {
  expect(() => new AmbitInstrumentation(options as never)).toThrow(
    expect.objectContaining({
      code: 'AMBIT_ERR_OPENTELEMETRY_OPTION',
      message: expect.stringContaining(message),
    }),
  );
});

test('a disabled instrumentation creates no spans for new requests, and ends those of running requests', async () => {
  const telemetry = new Telemetry();
  const app = ambit();
  app.get('/', () => {
    telemetry.instrumentation.disable();
    return 'ok';
  });
  await app.inject('/');
  await app.inject('/');
  expect(telemetry.spans.map(({ name }) => name)).toEqual(['GET /']);
});

test('it sends spans to the provider that the SDK sets', async () => {
  const telemetry = new Telemetry();
  const exporter = new InMemorySpanExporter();
  telemetry.instrumentation.setTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  );
  await ambit().inject('/');
  expect(telemetry.spans).toEqual([]);
  expect(exporter.getFinishedSpans()[0]).toMatchObject({
    name: 'GET',
    instrumentationScope: { name: '@ambit/opentelemetry', version },
  });
});

test('options can be replaced while it runs', async () => {
  const telemetry = new Telemetry({ steps: true });
  telemetry.instrumentation.setConfig({ ignore: ({ url }) => url === '/' });
  expect(telemetry.instrumentation.getConfig().enabled).toBe(true);
  const app = ambit();
  await app.inject('/');
  await app.inject('/a');
  expect(telemetry.spans).toHaveLength(1);
});

test('without recorded exceptions, the span is still an error', async () => {
  const telemetry = new Telemetry({ recordExceptions: false });
  const app = ambit();
  app.get('/', () => {
    throw new Error('no');
  });
  await app.inject('/');
  const span = await telemetry.requestSpan();
  expect(span.events).toEqual([]);
  expect(span.status).toEqual({ code: SpanStatusCode.ERROR, message: 'no' });
});

test('without an SDK, requests are served as usual', async () => {
  const instrumentation = new AmbitInstrumentation({ steps: true });
  onTestFinished(() => instrumentation.disable());
  const app = ambit();
  app.addHook('onRequest', async () => {});
  app.get('/', () => ({ hasSpan: trace.getActiveSpan() !== undefined }));
  expect((await app.inject('/')).json()).toEqual({ hasSpan: false });
});

test('outside of requests, `requestSpan` returns undefined', () => {
  expect(requestSpan()).toBeUndefined();
});

test('OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS replaces the list of known methods', () => {
  const variable = 'OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS';
  expect([...readKnownMethods({ [variable]: 'GET, PURGE,' })]).toEqual(['GET', 'PURGE']);
  expect(readKnownMethods({}).has('PATCH')).toBe(true);
  expect(readKnownMethods({ [variable]: '' }).has('PATCH')).toBe(true);
});

test('the error for a missing @opentelemetry/api says how to install it', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'opentelemetry-'));
  onTestFinished(() => rm(elsewhere, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  cpSync(join(folder, 'dist'), elsewhere, { recursive: true });
  const program = `const { AmbitInstrumentation } = require('./index.cjs');
    try { new AmbitInstrumentation(); } catch ({ code, message }) { console.log(code + ': ' + message); }`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], {
    cwd: elsewhere,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout.trim()).toBe(
    'AMBIT_ERR_OPENTELEMETRY_API_MISSING: AmbitInstrumentation needs the package @opentelemetry/api: npm install @opentelemetry/api',
  );
});
