// Sessions in Redis: all replicas share them, and they survive restarts of replicas.
import cookie from '@fastify/cookie';
import session from '@fastify/session';
import { hoist } from 'ambit';
import { RedisStore } from 'connect-redis';
import { createClient } from 'redis';
import { NotLoggedIn, Unavailable } from './problems.mjs';

const maxAge = 24 * 60 * 60 * 1000;

/** Adds `request.session` to the routes of a context. Other routes do not need Redis. */
export const sessions = hoist(async (context, { redisUrl, sessionSecrets }) => {
  const redis = connect(context, redisUrl);
  await context.register(cookie);
  await context.register(session, {
    secret: sessionSecrets,
    store: new RedisStore({
      prefix: 'session:',
      client: {
        get: (key) => orUnavailable(redis.get(key)),
        set: (key, value, options) => orUnavailable(redis.set(key, value, options)),
        del: (keys) => orUnavailable(redis.del(keys)),
      },
    }),
    cookieName: 'session',
    // `auto`: the cookie is `Secure` if the client uses HTTPS, which the load balancer reports with X-Forwarded-Proto.
    cookie: { httpOnly: true, sameSite: 'lax', secure: 'auto', path: '/', maxAge },
    // Sessions are written to Redis only when a user logs in or out, not by each request.
    saveUninitialized: false,
    rolling: false,
  });
}, 'sessions');

function connect(context, redisUrl) {
  const redis = createClient({
    url: redisUrl,
    // While Redis is down, commands fail at once instead of waiting for it.
    disableOfflineQueue: true,
    // A connection without a response to pings is broken, even if it was not closed.
    pingInterval: 1_000,
    socket: { connectTimeout: 1_000, socketTimeout: 3_000, reconnectStrategy: () => 200 },
  });
  redis.on('error', (error) => context.log.warn({ err: error }, 'the sessions have no Redis'));
  // The client connects in the background, so that boot does not wait for it, and reconnects if the connection breaks.
  redis.connect().catch(() => {});
  context.addHook('onClose', () => redis.destroy());
  return redis;
}

/** Throws `Unavailable` if Redis does not respond, so that the client gets 503 and keeps its session cookie. */
export async function orUnavailable(result) {
  try {
    return await result;
  } catch (error) {
    throw new Unavailable('Redis', error);
  }
}

/** A hook for routes that need a user. */
export async function requireUser({ session }) {
  if (session.user === undefined) throw new NotLoggedIn('Log in with POST /session.');
}
