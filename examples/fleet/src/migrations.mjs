// The migrations of the database. While a new version is rolled out, old replicas still use the tables, so remove only
// what no replica uses.
import pg from 'pg';

/** Never change a migration that has run in production. Add new migrations at the end. */
const migrations = [
  `create table users (
    name text primary key,
    password_salt bytea not null,
    password_hash bytea not null
  )`,
  `create table notes (
    id bigint generated always as identity primary key,
    owner text not null references users (name) on delete cascade,
    idempotency_key text not null,
    text text not null,
    is_shared boolean not null,
    created_at timestamptz not null default now(),
    unique (owner, idempotency_key)
  )`,
  'create index shared_notes on notes (id) where is_shared',
];

/** The key of the advisory lock for migrations. Other programs that use the same database must use other keys. */
const lock = 7_142_002;

/**
 * Runs the migrations that have not run yet, in one transaction. If several replicas start at the same time, one runs them
 * and the others wait.
 */
export async function migrate(databaseUrl) {
  // A separate connection without the timeouts of the pool.
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 2_000,
    keepAlive: true,
  });
  // If the connection breaks, the pending query rejects, so the event needs no handling.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('begin');
    // The lock is released with the transaction, even if this process is killed.
    await client.query('select pg_advisory_xact_lock($1)', [lock]);
    await client.query('create table if not exists migrations (number integer primary key)');
    const { rowCount } = await client.query('select number from migrations');
    for (const [number, sql] of [...migrations.entries()].slice(rowCount)) {
      await client.query(sql);
      await client.query('insert into migrations values ($1)', [number]);
    }
    await client.query('commit');
  } finally {
    await client.end();
  }
}
