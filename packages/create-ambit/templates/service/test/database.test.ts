import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { migrations } from '../src/database/migrations.ts';
import { start } from './start.ts';

const { app } = await start();
after(() => app.close());
const { database } = app;

test('migrations that have run do not run again', async () => {
  await database.migrate(migrations);
});

test('a migration that fails says why, and leaves nothing behind', async () => {
  const failing = [...migrations, 'create table unfinished (id text)', 'insert into nowhere values (1)'];
  await assert.rejects(database.migrate(failing), /nowhere/);
  await assert.rejects(database.query('select * from unfinished'), /unfinished/);
  await database.migrate(migrations);
});

test('a rollback that is not possible does not hide the first error', async () => {
  const endsTransaction = [...migrations, 'rollback; insert into nowhere values (1)'];
  await assert.rejects(database.migrate(endsTransaction), /nowhere/);
});
