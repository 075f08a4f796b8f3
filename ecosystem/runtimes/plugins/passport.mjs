import { deepEqual, equal } from 'node:assert/strict';
import { Authenticator } from '@fastify/passport';
import { registerSession } from '../register-session.mjs';

class ByName {
  name = 'by-name';
  authenticate(request) {
    const { name } = request.query;
    if (name === 'ada') this.success({ name });
    else this.fail('unknown', 401);
  }
}

export function setUp(app) {
  const passport = new Authenticator();
  passport.use(new ByName());
  passport.registerUserSerializer(async (user) => user.name);
  passport.registerUserDeserializer(async (name) => ({ name }));
  app.register(async (child) => {
    await registerSession(child);
    child.register(passport.initialize());
    child.register(passport.secureSession());
    child.get('/login', { preValidation: passport.authenticate('by-name', { authInfo: false }) }, () => 'in');
    child.get('/me', (request) => request.user ?? { name: 'nobody' });
  });
}

export async function check(ask) {
  equal((await ask('/login?name=eve')).status, 401);
  const login = await ask('/login?name=ada');
  equal(await login.text(), 'in');
  const cookie = login.headers.getSetCookie()[0].split(';')[0];
  deepEqual(await (await ask('/me', { headers: { cookie } })).json(), { name: 'ada' });
}
