// Postgres: the connection pool of this replica, and the errors while the server does not respond.
import { setTimeout as wait } from 'node:timers/promises';
import postgres from '@fastify/postgres';
import { hoist } from 'ambit';
import pg from 'pg';
import { migrate } from './migrations.mjs';
import { Unavailable } from './problems.mjs';

/** Three replicas with ten connections each: together fewer than the `max_connections` of the server. */
const poolOptions = {
  max: 10,
  keepAlive: true,
  // The longest time that a request waits for a connection, that the server executes a statement, and that the client
  // waits for its result.
  connectionTimeoutMillis: 2_000,
  statement_timeout: 4_000,
  query_timeout: 5_000,
};

/** Adds `context.sql(sql, ...values)`, which returns rows. */
export const database = hoist(async (context, { databaseUrl }) => {
  await context.register(postgres, { connectionString: databaseUrl, ...poolOptions });
  const { pool } = context.pg;
  // The pool replaces a connection that breaks. Without these listeners, the error would end the process.
  pool.on('error', (error) => context.log.warn({ err: error }, 'a connection to Postgres broke'));
  pool.on('connect', (client) => client.on('error', () => {}));

  context.decorate('sql', async (text, ...values) => {
    try {
      const { rows } = await pool.query(text, values);
      return rows;
    } catch (error) {
      throw isOutage(error) ? new Unavailable('Postgres', error) : error;
    }
  });
  migrateInBackground(context, databaseUrl);
}, 'database');

/**
 * Classes of SQLSTATE that are not caused by the statement: the connection failed, the server has no resources left, it
 * stops or starts, or another server has become the primary.
 */
const outageStates = ['08', '53', '57', '25006'];

function isOutage(error) {
  // Errors of the server have this class; all others are errors of the connection.
  if (!(error instanceof pg.DatabaseError)) return true;
  return outageStates.some((state) => error.code?.startsWith(state));
}

/**
 * Runs the migrations in the background. A replica that starts while Postgres is down listens, but is not ready, and does
 * not have to be restarted. Once the migrations are done, the replica stays ready, even if Postgres does not respond:
 * otherwise, an outage of Postgres would make all replicas unavailable, also for requests that do not need it.
 */
function migrateInBackground(context, databaseUrl) {
  let isMigrated = false;
  const closing = new AbortController();
  const { signal } = closing;
  const run = async () => {
    while (!isMigrated && !signal.aborted) {
      try {
        await migrate(databaseUrl);
        isMigrated = true;
      } catch (error) {
        context.log.error({ err: error }, 'the migrations failed, and will be retried');
        await wait(500, undefined, { signal }).catch(() => {});
      }
    }
  };
  const done = run();
  context.addReadinessCheck('migrations', () => isMigrated, { cacheMs: 0 });
  context.addHook('onClose', () => {
    closing.abort();
    return done;
  });
}
