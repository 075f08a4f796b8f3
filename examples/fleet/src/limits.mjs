// The rate limit: Redis counts, so that it is one limit for all replicas.
import rateLimit from '@fastify/rate-limit';
import { hoist } from 'ambit';
import { Redis } from 'ioredis';

/** Limits the requests of each address. Probes are not limited: they do not reach the hooks. */
export const limits = hoist(async (context, { redisUrl, requestsPerMinute }) => {
  const redis = new Redis(redisUrl, {
    // While Redis is down, commands fail at once instead of waiting for it.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 1_000,
    connectTimeout: 1_000,
    retryStrategy: () => 200,
  });
  // ioredis connects again by itself.
  redis.on('error', (error) => context.log.warn({ err: error }, 'the rate limit has no Redis'));
  context.addHook('onClose', () => redis.disconnect());

  await context.register(rateLimit, {
    redis,
    max: requestsPerMinute,
    timeWindow: '1 minute',
    // Open: without Redis, requests are served without a limit. `overload` still protects each replica. Where a limit
    // must hold, as for passwords, the route decides otherwise: see accounts.mjs.
    skipOnError: true,
  });
}, 'limits');
