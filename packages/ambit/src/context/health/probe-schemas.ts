/** The schemas of the responses to probes. `hide` keeps them out of API documents, because probes are for the platform, not for clients. */
import type { RouteSchema } from '../../types/route-schema.ts';

export function liveSchema(): RouteSchema {
  return {
    hide: true,
    response: {
      200: {
        description: 'The process serves requests.',
        type: 'object',
        required: ['status'],
        properties: { status: { type: 'string', enum: ['ok'] } },
      },
    },
  };
}

function readinessSchema(description: string, statuses: readonly string[]): object {
  const check = {
    type: 'object',
    required: ['name', 'status'],
    properties: {
      name: { type: 'string' },
      prefix: { type: 'string' },
      status: { type: 'string', enum: ['passed', 'failed', 'timed-out'] },
    },
  };
  return {
    description,
    type: 'object',
    required: ['status', 'checks'],
    properties: {
      status: { type: 'string', enum: statuses },
      checks: { type: 'array', items: check },
    },
  };
}

export function readySchema(): RouteSchema {
  return {
    hide: true,
    response: {
      200: readinessSchema('The application should get requests.', ['ready']),
      503: readinessSchema('The application should get no requests.', ['unavailable', 'stopping']),
    },
  };
}
