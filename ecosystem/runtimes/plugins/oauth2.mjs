import { equal } from 'node:assert/strict';
import cookie from '@fastify/cookie';
import plugin from '@fastify/oauth2';

export function setUp(app, { upstream }) {
  app.register(cookie);
  app.register(plugin, {
    name: 'example',
    credentials: {
      client: { id: 'an-id', secret: 'a-secret' },
      auth: {
        authorizeHost: upstream,
        authorizePath: '/authorize',
        tokenHost: upstream,
        tokenPath: '/token',
      },
    },
    startRedirectPath: '/login',
    callbackUri: 'http://localhost/callback',
  });
  app.get('/callback', async (request) => {
    const { token } = await app.example.getAccessTokenFromAuthorizationCodeFlow(request);
    return token.access_token;
  });
}

export async function check(ask) {
  const login = await ask('/login');
  equal(login.status, 302);
  const state = new URL(login.headers.get('location')).searchParams.get('state');
  const cookies = login.headers.getSetCookie().map((field) => field.split(';')[0]);
  const response = await ask(`/callback?code=a&state=${state}`, { headers: { cookie: cookies.join('; ') } });
  equal(await response.text(), 'a-token');
}
