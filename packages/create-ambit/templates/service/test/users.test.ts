import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connect } from '../src/client.ts';
import { hashPassword, verifyPassword } from '../src/secrets.ts';
import { signUp, start } from './start.ts';

const { app, origin } = await start();
after(() => app.close());
const { credentials } = await signUp(origin);

test('a name can be taken once', async () => {
  const reply = await connect(origin).post('/users', { body: credentials });
  assert.equal(reply.status, 409);
  assert.deepEqual(reply.body, { message: `The name ${credentials.name} is taken` });
});

test('a wrong password and an unknown name get the same response', async () => {
  const wrong = await connect(origin).post('/tokens', { body: { ...credentials, password: 'wrong horse' } });
  const unknown = await connect(origin).post('/tokens', { body: { ...credentials, name: 'nobody' } });
  assert.equal(wrong.status, 401);
  assert.equal(unknown.status, 401);
  assert.deepEqual(wrong.body, unknown.body);
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

test('the eleventh attempt to log in within a minute gets 429', async (t) => {
  const other = await start();
  t.after(() => other.app.close());
  const logIn = () => connect(other.origin).post('/tokens', { body: { name: 'ada', password: 'short' } });
  for (let i = 0; i < 10; i++) assert.equal((await logIn()).status, 400);
  assert.equal((await logIn()).status, 429);
});
