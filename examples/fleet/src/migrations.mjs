// The tables. While a new version is rolled out, old replicas still use them: add, and remove only what no replica uses.
import pg from 'pg';

/** What has run in production stays as it is: add new statements at the end. */
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

/** The number of the lock that a replica holds while it migrates. Programs that share the database need other numbers. */
const lock = 7_142_002;

/** Runs the migrations that have not run yet: all or none. If replicas start together, one runs them and the others wait. */
export async function migrate(databaseUrl) {
  // A connection of its own, without the time limits of the pool.
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 2_000,
    keepAlive: true,
  });
  // If the connection breaks, the query that waits for it rejects, too.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('begin');
    // It ends with the transaction, also if this process is killed.
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
