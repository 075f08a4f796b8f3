// Sessions in Redis: every replica finds them, and they outlive all of them.
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
    // `auto`: over HTTPS, which the balancer tells with X-Forwarded-Proto, the cookie is never sent without it.
    cookie: { httpOnly: true, sameSite: 'lax', secure: 'auto', path: '/', maxAge },
    // Redis is written when somebody logs in or out, and not by each request.
    saveUninitialized: false,
    rolling: false,
  });
}, 'sessions');

function connect(context, redisUrl) {
  const redis = createClient({
    url: redisUrl,
    // While Redis is down, commands fail at once instead of waiting for it.
    disableOfflineQueue: true,
    // A connection that is silent in spite of the pings is broken, although nobody has closed it.
    pingInterval: 1_000,
    socket: { connectTimeout: 1_000, socketTimeout: 3_000, reconnectStrategy: () => 200 },
  });
  redis.on('error', (error) => context.log.warn({ err: error }, 'the sessions have no Redis'));
  // It connects in the background, and again when the connection breaks: boot does not wait for it.
  redis.connect().catch(() => {});
  context.addHook('onClose', () => redis.destroy());
  return redis;
}

/** Nobody is logged out because Redis does not respond: the client gets 503, and keeps its cookie. */
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
