import cookie from '@fastify/cookie';

/** Registers `@fastify/session`, as on workers: it makes random bytes while it is imported, so a plugin imports it. */
export async function registerSession(app) {
  const { default: session } = await import('@fastify/session');
  app.register(cookie);
  app.register(session, { secret: 'a secret of at least thirty-two characters', cookie: { secure: false } });
}
