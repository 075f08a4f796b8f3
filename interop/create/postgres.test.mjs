// The template service with Postgres: it passes its tests, its time limits hold when the database does not answer, and it sends spans
// of requests and queries.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { run } from '../test/support/run.mjs';
import { startServer } from '../test/support/start-server.mjs';
import { create, environmentOf, makeFolder, runScript, startApplication } from './support/application.mjs';
import { startPostgres } from './support/postgres.mjs';

const sdk = '@opentelemetry/auto-instrumentations-node';
/** The kind of a span of a request that a server has received. */
const serverKind = 2;
/** The name of the socket in the folder of a server. */
const socketName = '.s.PGSQL.5432';

/** Passes on the connections to a server of Postgres, as long as it is told to. */
async function startRelay(serverFolder) {
  const { folder, remove } = makeFolder();
  const clients = new Set();
  let isOpen = true;
  const relay = createServer((client) => {
    clients.add(client.on('error', () => {}));
    if (!isOpen) return;
    const server = connect(join(serverFolder, socketName)).on('error', () => {});
    client.pipe(server).pipe(client);
  }).listen(join(folder, socketName));
  await once(relay, 'listening');
  return {
    url: `postgres://postgres@localhost/postgres?host=${folder}`,
    /** From now on, what comes on the connections that are open gets no answer. */
    freeze() {
      for (const client of clients) client.unpipe().resume();
    },
    /** Whether connections that are new reach the server. Others get no answer. */
    reach(value) {
      isOpen = value;
    },
    drop() {
      for (const client of clients) client.destroy();
    },
    async stop() {
      this.drop();
      relay.close();
      await remove();
    },
  };
}

/** Gets what the SDK of OpenTelemetry sends. */
async function startCollector() {
  const spans = [];
  const collector = createHttpServer(async (request, response) => {
    const { resourceSpans = [] } = await json(request);
    for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, 'localhost');
  await once(collector, 'listening');
  return { spans, url: `http://localhost:${collector.address().port}`, stop: () => collector.close() };
}

describe('the template service with Postgres', () => {
  const { folder, remove } = makeFolder();
  const application = join(folder, 'notes');
  let postgres;
  let relay;
  beforeAll(async () => {
    postgres = await startPostgres();
    relay = await startRelay(postgres.folder);
    await create(folder, '24', 'notes', '--template', 'service', '--install');
  });
  afterAll(async () => {
    await relay.stop();
    await postgres.stop();
    await remove();
  });

  test('passes its tests', async () => {
    const env = { DATABASE_URL: postgres.url };
    expect(await runScript(application, '24', 'test', env)).toMatch(/fail 0\n/);
  });

  describe('whose database does not answer', () => {
    let server;
    let readNotes;
    beforeAll(async () => {
      server = await startApplication(application, '24', 'start', { DATABASE_URL: relay.url });
      const post = (path) =>
        fetch(server.origin + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"name":"ada","password":"correct horse"}',
        });
      await post('/users');
      const { token } = await (await post('/tokens')).json();
      readNotes = async () => {
        const headers = { authorization: `Bearer ${token}` };
        return (await fetch(`${server.origin}/notes`, { headers })).status;
      };
    });
    afterAll(() => server.stop());

    /**
     * Sends more requests than the pool has connections.
     *
     * @returns Their statuses, each once: 500 for a limit of the database, 503 for that of the handler, which is longer.
     */
    const readAtOnce = async () => [...new Set(await Promise.all(Array.from({ length: 20 }, readNotes)))];

    test('a statement that waits for a lock is ended by the database', async () => {
      const other = new pg.Client(postgres.url);
      await other.connect();
      onTestFinished(() => other.end());
      await other.query('begin; lock table notes');
      expect(await readAtOnce()).toEqual([500]);
      const { rows } = await other.query("select query from pg_stat_activity where wait_event_type = 'Lock'");
      expect(rows).toEqual([]);
      // The table is locked, and the pool has connections for others.
      expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
      await other.query('rollback');
      expect(await readAtOnce()).toEqual([200]);
    });

    test('connections that fall silent are replaced', async () => {
      expect(await readAtOnce()).toEqual([200]);
      relay.freeze();
      expect(await readAtOnce()).toEqual([500]);
      expect(await readAtOnce()).toEqual([200]);
    });

    test('a server that accepts connections and says nothing is given up', async () => {
      relay.reach(false);
      relay.drop();
      expect(await readAtOnce()).toEqual([500]);
      relay.reach(true);
      expect(await readAtOnce()).toEqual([200]);
    });
  });

  test('with the commands of the README, each request has one span, and each query a span below it', async () => {
    const collector = await startCollector();
    onTestFinished(collector.stop);
    const readme = readFileSync(join(application, 'README.md'), 'utf8');
    const [, commands] = /^## OpenTelemetry$.*?^```sh\n(.*?)^```$/ms.exec(readme);
    await run(application, 'npm', ['install', `${sdk}@0.82.0`], environmentOf('24'));
    const env = {
      ...environmentOf('24'),
      DATABASE_URL: postgres.url,
      PORT: '0',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      // Without those that ask servers of clouds.
      OTEL_NODE_RESOURCE_DETECTORS: 'env',
      OTEL_BSP_SCHEDULE_DELAY: '10',
    };
    const program = commands.replace('http://localhost:4318', collector.url);
    const { origin, stop } = await startServer(application, ['sh', '-c', program], env);
    onTestFinished(() => stop());
    const headers = { authorization: 'Bearer unknown', connection: 'close' };
    expect((await fetch(`${origin}/notes`, { headers })).status).toBe(401);
    const requests = () => collector.spans.filter(({ kind }) => kind === serverKind);
    await expect.poll(requests, { timeout: 60_000 }).toMatchObject([{ name: 'GET /notes' }]);
    const [{ traceId, spanId }] = requests();
    const queries = collector.spans.filter(({ name }) => name.startsWith('pg.query:SELECT'));
    expect(queries.filter((span) => span.traceId === traceId)).toMatchObject([{ parentSpanId: spanId }]);
  });
});
