/**
 * The statements that create the tables. Never change a statement that has run in production; add new statements at the end.
 *
 * `migrate` of each database runs them: a dozen lines, which know both databases and use their locks. The libraries for migrations
 * know only Postgres, or come with a query builder. If you need steps back or branches, use node-pg-migrate, for example.
 */
export const migrations = [
  `create table users (
    id text primary key,
    name text not null unique,
    password_hash text not null
  )`,
  `create table tokens (
    hash text primary key,
    user_id text not null references users (id) on delete cascade,
    expires_at text not null
  )`,
  `create table notes (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    text text not null,
    created_at text not null,
    attachment text
  )`,
  'create index notes_of_user on notes (user_id, created_at, id)',
  'create index tokens_by_end on tokens (expires_at)',
];
