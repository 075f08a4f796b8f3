// The template service with Postgres: it passes its tests, and its time limits hold when the database does not answer.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { create, makeFolder, runScript, startApplication } from './support/application.mjs';
import { startPostgres } from './support/postgres.mjs';

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
});
