import pg from 'pg';
import type { Database } from './database.ts';

/** The number of the lock that a process holds while it migrates. Programs that share the database need other numbers. */
const migrationLock = 7_142_001;

/** @param url Such as `postgres://user:password@localhost:5432/notes`. */
export function openPostgres(url: string): Database {
  const pool = new pg.Pool({ connectionString: url });
  // The pool replaces an idle connection that breaks. Without a listener, the error would end the process.
  pool.on('error', () => {});

  return {
    async query(sql, ...values) {
      const { rows } = await pool.query(sql, values);
      return rows;
    },

    async migrate(migrations) {
      const connection = await pool.connect();
      try {
        await connection.query('begin');
        await connection.query('select pg_advisory_xact_lock($1)', [migrationLock]);
        await connection.query('create table if not exists migrations (number integer primary key)');
        const done = await connection.query('select number from migrations');
        for (const [number, sql] of [...migrations.entries()].slice(done.rows.length)) {
          await connection.query(sql);
          await connection.query('insert into migrations values ($1)', [number]);
        }
        await connection.query('commit');
      } catch (error) {
        await connection.query('rollback');
        throw error;
      } finally {
        connection.release();
      }
    },

    close: () => pool.end(),
  };
}
