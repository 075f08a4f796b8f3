import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Database } from './database.ts';

/** Opens a file, which is created if it does not exist, or `:memory:`. */
export function openSqlite(file: string): Database {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true });
  const sqlite = new DatabaseSync(file);
  // Readers do not wait for a writer, and a writer waits for another one instead of failing.
  sqlite.exec('pragma journal_mode = wal; pragma busy_timeout = 5000');

  return {
    async query(sql, ...values) {
      const named = Object.fromEntries(values.map((value, i) => [`$${i + 1}`, value]));
      return sqlite.prepare(sql).all(named);
    },

    async migrate(migrations) {
      sqlite.exec('begin immediate');
      try {
        sqlite.exec('create table if not exists migrations (number integer primary key)');
        const done = sqlite.prepare('select number from migrations').all().length;
        for (const [number, sql] of [...migrations.entries()].slice(done)) {
          sqlite.exec(sql);
          sqlite.prepare('insert into migrations values (?)').run(number);
        }
        sqlite.exec('commit');
      } catch (error) {
        // After some errors, SQLite has ended the transaction: a rollback would fail, and hide the first error.
        if (sqlite.isTransaction) sqlite.exec('rollback');
        throw error;
      }
    },

    async close() {
      sqlite.close();
    },
  };
}
