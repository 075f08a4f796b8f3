/** The metrics of the HTTP semantic conventions, as the official SDK exports them. */
import { metrics } from '@opentelemetry/api';
import { MeterProvider, type SumMetricData } from '@opentelemetry/sdk-metrics';
import { describe, expect, test } from 'vitest';
import { flavors } from '../../ambit/test/support/flavors.ts';
import { textOf, transports } from '../../ambit/test/support/transports.ts';
import { Telemetry } from '../test/telemetry.ts';

const duration = 'http.server.request.duration';
const active = 'http.server.active_requests';

describe.each(flavors)('on %s', (_flavor, make) => {
  test.each(transports)('the duration of requests is measured by route, over $name', async (transport) => {
    const telemetry = new Telemetry();
    const app = make(transport.options);
    app.get('/users/:id', () => ({}));
    for (const path of ['/users/1', '/users/2']) await textOf(await transport.ask(app, { path }));
    await telemetry.requestSpans(2);
    const metric = await telemetry.metric(duration);
    expect(metric?.descriptor).toMatchObject({ unit: 's', type: 'HISTOGRAM' });
    const [point, ...others] = metric!.dataPoints;
    expect(others).toEqual([]);
    expect(point!.attributes).toMatchObject({
      'http.request.method': 'GET',
      'http.route': '/users/:id',
      'http.response.status_code': 200,
      'url.scheme': transport.scheme,
    });
    const allowed = ['http.request.method', 'url.scheme', 'http.route', 'http.response.status_code'];
    const keys = Object.keys(point!.attributes).filter((key) => key !== 'network.protocol.version');
    expect(keys.sort()).toEqual(allowed.sort());
    expect(point!.value.count).toBe(2);
    expect(point!.value.buckets.boundaries).toEqual([
      0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
    ]);
  });

  test('running requests are counted until they end', async () => {
    const telemetry = new Telemetry();
    const app = make();
    const counts: number[] = [];
    const count = async (): Promise<number> => {
      const metric = await telemetry.metric<SumMetricData>(active);
      return metric!.dataPoints.reduce((sum, { value }) => sum + value, 0);
    };
    app.get('/', async () => {
      counts.push(await count());
      return 'ok';
    });
    await app.inject('/');
    counts.push(await count());
    expect(counts).toEqual([1, 0]);
  });

  test('a request whose client left is measured without a status, and no longer counted', async () => {
    const telemetry = new Telemetry();
    const app = make();
    const leaving = new AbortController();
    app.get('/', () => {
      leaving.abort();
      return new Promise(() => {});
    });
    await expect(app.fetch(new Request('http://localhost/', { signal: leaving.signal }))).rejects.toThrow();
    await telemetry.requestSpan();
    const [point] = (await telemetry.metric(duration))!.dataPoints;
    expect(point!.attributes).not.toHaveProperty(['http.response.status_code']);
    const [running] = (await telemetry.metric<SumMetricData>(active))!.dataPoints;
    expect(running!.value).toBe(0);
  });

  test('paths without a route and unknown methods do not create their own time series', async () => {
    const telemetry = new Telemetry();
    const app = make();
    app.addHttpMethod('LOCK');
    for (const url of ['/a', '/b?x=1', '/c']) await app.inject(url);
    await app.inject({ method: 'LOCK' as never, url: '/d' });
    const points = (await telemetry.metric(duration))!.dataPoints;
    expect(points.map(({ attributes, value }) => [attributes['http.request.method'], value.count])).toEqual([
      ['GET', 3],
      ['_OTHER', 1],
    ]);
  });

  test('an error has the class of the exception as its type', async () => {
    const telemetry = new Telemetry();
    const app = make();
    app.get('/', () => {
      throw Object.assign(new TypeError('no'), { name: 'text of a client' });
    });
    await app.inject('/');
    const [point] = (await telemetry.metric(duration))!.dataPoints;
    expect(point!.attributes).toMatchObject({
      'http.response.status_code': 500,
      'error.type': 'TypeError',
    });
  });

  test('a provider that is set later gets the metrics of later requests', async () => {
    const telemetry = new Telemetry();
    metrics.disable();
    const app = make();
    await app.inject('/');
    const names: string[] = [];
    const provider = new MeterProvider();
    const { getMeter } = provider;
    provider.getMeter = (name, version) => {
      names.push(name);
      return getMeter.call(provider, name, version);
    };
    telemetry.instrumentation.setMeterProvider(provider);
    await app.inject('/');
    await app.inject('/');
    expect(names).toEqual(['@ambit/opentelemetry']);
  });
});
