import pg from 'pg';
import type { Database } from './database.ts';

/** The number of the lock that a process holds while it migrates. Programs that share the database need other numbers. */
const migrationLock = 7_142_001;

/**
 * @param url Such as `postgres://user:password@localhost:5432/notes`.
 * @param onError Gets the errors of connections that no query uses.
 */
export function openPostgres(url: string, onError: (error: Error) => void): Database {
  const connection = { connectionString: url, connectionTimeoutMillis: 3_000, keepAlive: true };
  const pool = new pg.Pool({
    ...connection,
    max: 10,
    idleTimeoutMillis: 30_000,
    // The server ends a statement after this time. The second limit is for a server that cannot be reached any more.
    statement_timeout: 5_000,
    query_timeout: 6_000,
  });
  // The pool replaces an idle connection that breaks. Without a listener, the error would end the process.
  pool.on('error', onError);

  return {
    async query(sql, ...values) {
      const { rows } = await pool.query(sql, values);
      return rows;
    },

    async migrate(migrations) {
      // A connection of its own, because a migration may take longer than other statements.
      const client = new pg.Client(connection);
      client.on('error', onError);
      await client.connect();
      try {
        await client.query('begin');
        await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
        await client.query('create table if not exists migrations (number integer primary key)');
        const done = await client.query('select number from migrations');
        for (const [number, sql] of [...migrations.entries()].slice(done.rows.length)) {
          await client.query(sql);
          await client.query('insert into migrations values ($1)', [number]);
        }
        await client.query('commit');
      } finally {
        // This also ends a transaction that has failed. A rollback could fail too, and hide the first error.
        await client.end();
      }
    },

    close: () => pool.end(),
  };
}
