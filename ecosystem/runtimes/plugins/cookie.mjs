import { deepEqual, match } from 'node:assert/strict';
import plugin from '@fastify/cookie';

export function setUp(app) {
  app.register(plugin, { secret: 'a secret of at least thirty-two characters' });
  app.get('/set', (_request, reply) =>
    reply
      .setCookie('a', 'one', { signed: true, path: '/' })
      .setCookie('b', 'two', { httpOnly: true })
      .send('set'),
  );
  app.get('/read', (request) => ({
    signed: request.unsignCookie(request.cookies.a).value,
    plain: request.cookies.b,
  }));
}

export async function check(ask) {
  const [signed, plain] = (await ask('/set')).headers.getSetCookie();
  match(signed, /^a=one\.\S+; Path=\//);
  match(plain, /^b=two;.* HttpOnly/);
  const response = await ask('/read', { headers: { cookie: `${signed.split(';')[0]}; b=two` } });
  deepEqual(await response.json(), { signed: 'one', plain: 'two' });
}
