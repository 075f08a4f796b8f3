import type { Base } from './base.ts';

/** Tells the load balancer whether this process can serve requests. */
export function health(context: Base) {
  return context.get('/health', {
    config: { rateLimit: false },
    schema: {
      tags: ['health'],
      response: { 200: { status: { const: 'ok' } }, 503: { $ref: 'Problem#' } },
    },
    handler: async (request, reply) => {
      try {
        await context.database.query('select 1');
        return reply.send({ status: 'ok' });
      } catch (error) {
        request.log.error({ err: error }, 'the database does not answer');
        return reply.code(503).send({ message: 'The database does not answer' });
      }
    },
  });
}
