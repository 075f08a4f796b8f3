import { hoist } from 'ambit';
import type { Config } from '../config.ts';
import { migrations } from './migrations.ts';

export type Value = string | number | null;
export type Row = Record<string, unknown>;

/** The functions of a database that the application needs. Write SQL that both SQLite and Postgres understand. */
export interface Database {
  /** Runs one statement, in which `$1` stands for the first of the values. */
  query(sql: string, ...values: Value[]): Promise<Row[]>;
  /** Runs the migrations that have not run yet, all or none of them, and in one process at a time. */
  migrate(migrations: string[]): Promise<void>;
  close(): Promise<void>;
}

/** Adds `context.database`: opened at boot, and closed with the application. */
export const database = hoist(async (context, config: Config) => {
  const logError = (error: Error) => context.log.error(error, 'a connection to the database broke');
  const opened = await open(config, logError);
  context.addHook('onClose', () => opened.close());
  await opened.migrate(migrations);
  // Every route needs the database: without it, this process should get no requests.
  context.addReadinessCheck('database', () => opened.query('select 1'));
  return context.decorate('database', opened);
}, 'database');

async function open(
  { databaseFile, databaseUrl }: Config,
  onError: (error: Error) => void,
): Promise<Database> {
  if (databaseUrl === undefined) {
    const { openSqlite } = await import('./sqlite.ts');
    return openSqlite(databaseFile);
  }
  const { openPostgres } = await import('./postgres.ts');
  return openPostgres(databaseUrl, onError);
}
