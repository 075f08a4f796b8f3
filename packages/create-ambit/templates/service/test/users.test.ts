import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connect } from '../src/client.ts';
import { hashPassword, hashToken, isOutdated, verifyPassword } from '../src/secrets.ts';
import { logIn, signUp, start } from './start.ts';

const { app, origin } = await start();
after(() => app.close());
const { id, credentials } = await signUp(origin);

test('a name can be taken once', async () => {
  const reply = await connect(origin).post('/users', { body: credentials });
  assert.equal(reply.status, 409);
  assert.equal(reply.body.type, 'https://example.com/problems/name-taken');
});

test('a wrong password and an unknown name get the same response', async () => {
  const wrong = await connect(origin).post('/tokens', { body: { ...credentials, password: 'wrong horse' } });
  const unknown = await connect(origin).post('/tokens', { body: { ...credentials, name: 'nobody' } });
  assert.equal(wrong.status, 401);
  assert.equal(unknown.status, 401);
  assert.equal(wrong.body.detail, 'The name or the password is wrong');
  assert.equal(unknown.body.detail, wrong.body.detail);
});

test('a password of 9 characters gets 400', async () => {
  const reply = await connect(origin).post('/users', { body: { name: 'ada', password: '123456789' } });
  assert.equal(reply.status, 400);
});

test('equal passwords have different hashes, and each verifies', async () => {
  const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
  assert.notEqual(one, two);
  assert.equal(await verifyPassword('correct horse', one), true);
  assert.equal(await verifyPassword('correct horse', two), true);
  assert.equal(await verifyPassword('wrong horse', one), false);
  assert.equal(await verifyPassword('correct horse', undefined), false);
});

test('a hash of an old cost verifies, and logging in replaces it', async () => {
  const old = await hashPassword(credentials.password, { ln: 14, r: 8, p: 1 });
  assert.equal(isOutdated(old), true);
  await app.database.query('update users set password_hash = $1 where id = $2', old, id);
  await logIn(origin, credentials);
  const [user] = await app.database.query('select password_hash from users where id = $1', id);
  assert.match(String(user?.password_hash), /^\$scrypt\$ln=15,r=8,p=3\$/);
  await logIn(origin, credentials);
});

test('a token is not valid after logging out, and other tokens are', async () => {
  const { api } = await logIn(origin, credentials);
  const { api: other } = await logIn(origin, credentials);
  assert.equal((await api.delete('/tokens/current')).status, 204);
  assert.equal((await api.get('/notes')).status, 401);
  assert.equal((await api.delete('/tokens/current')).status, 401);
  assert.equal((await other.get('/notes')).status, 200);
});

test('a token is not valid after its end, and the next login deletes it', async () => {
  const hash = hashToken('expired');
  const end = new Date(Date.now() - 1000).toISOString();
  await app.database.query(
    'insert into tokens (hash, user_id, expires_at) values ($1, $2, $3)',
    hash,
    id,
    end,
  );
  assert.equal((await connect(origin, 'expired').get('/notes')).status, 401);
  await logIn(origin, credentials);
  assert.deepEqual(await app.database.query('select hash from tokens where hash = $1', hash), []);
});

test('the eleventh attempt to log in within a minute gets 429', async (t) => {
  const other = await start();
  t.after(() => other.app.close());
  const logIn = () => connect(other.origin).post('/tokens', { body: { name: 'ada', password: 'short' } });
  for (let i = 0; i < 10; i++) assert.equal((await logIn()).status, 400);
  assert.equal((await logIn()).status, 429);
});
