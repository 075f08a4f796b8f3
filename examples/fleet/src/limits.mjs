// The rate limit. Redis counts the requests, so that all replicas share one limit.
import rateLimit from '@fastify/rate-limit';
import { hoist } from 'ambit';
import { Redis } from 'ioredis';

/** Limits the requests of each address. Probes are not limited, because no hooks run for them. */
export const limits = hoist(async (context, { redisUrl, requestsPerMinute }) => {
  const redis = new Redis(redisUrl, {
    // While Redis is down, commands fail at once instead of waiting for it.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 1_000,
    connectTimeout: 1_000,
    retryStrategy: () => 200,
  });
  // ioredis reconnects by itself.
  redis.on('error', (error) => context.log.warn({ err: error }, 'the rate limit has no Redis'));
  context.addHook('onClose', () => redis.disconnect());

  await context.register(rateLimit, {
    redis,
    max: requestsPerMinute,
    timeWindow: '1 minute',
    // Without Redis, requests are served without a limit. `overload` still protects each replica. The limit of login
    // attempts does not allow this: see accounts.mjs.
    skipOnError: true,
  });
}, 'limits');
