/** Adds the routes that probes call: liveness and readiness. */
import type { Context } from '../../types/context.ts';
import type { Reply } from '../../types/reply.ts';
import type { RouteSchema } from '../../types/route-schema.ts';
import { ContextNode } from '../context-node.ts';
import type { HealthPaths } from '../options/limit-options.ts';
import { addRoute } from '../routes/add-route.ts';
import { checkReadiness } from './readiness-check.ts';

/**
 * The routes have a context of their own, which inherits no hooks and no error handlers: otherwise a hook that authenticates, or that
 * queries a database, would decide about health.
 */
export function addHealthRoutes(root: ContextNode, { live, ready }: HealthPaths): void {
  const api = Object.create(root.api) as Context;
  const node = new ContextNode(root.app, api, { inPluginName: 'health', inPath: 'health' }, root);
  node.servesProbes = true;
  if (live !== false) {
    const content = { status: 'ok' };
    addProbe(node, live, liveSchema(), (reply) => answer(reply, 200, content));
  }
  if (ready !== false) {
    addProbe(node, ready, readySchema(), async (reply) => {
      const readiness = await checkReadiness(root);
      return answer(reply, readiness.status === 'ready' ? 200 : 503, readiness);
    });
  }
}

function addProbe(node: ContextNode, url: string, schema: RouteSchema, run: (reply: Reply) => unknown): void {
  addRoute(node, {
    method: 'GET',
    url,
    schema,
    // The schema is only documentation: it is not compiled, because the application's compilers may take another kind of schemas.
    serializerCompiler: () => JSON.stringify,
    handler: (_request, reply) => run(reply as unknown as Reply),
  });
}

/** Sends a string, so that no serializer of the application changes it. */
function answer(reply: Reply, status: number, content: object): Reply {
  return reply
    .code(status)
    .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    .send(JSON.stringify(content));
}

/** Made for each application, because `onRoute` hooks may change it. `hide` keeps them out of API documents, because probes are for the platform, not for clients. */
function liveSchema(): RouteSchema {
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

function readySchema(): RouteSchema {
  return {
    hide: true,
    response: {
      200: readinessSchema('The application should get requests.', ['ready']),
      503: readinessSchema('The application should get no requests.', ['unavailable', 'stopping']),
    },
  };
}

function readinessSchema(description: string, statuses: readonly string[]): object {
  const name = { type: 'string' };
  const prefix = { type: 'string' };
  const status = { type: 'string', enum: ['passed', 'failed', 'timed-out'] };
  const check = { type: 'object', required: ['name', 'status'], properties: { name, prefix, status } };
  return {
    description,
    type: 'object',
    required: ['status', 'checks'],
    properties: { status: { type: 'string', enum: statuses }, checks: { type: 'array', items: check } },
  };
}
