// Owns the scenarios on Bun.serve alone, with its own router; Ajv validates.
import { rows } from '../rows.mjs';
import { isOrder, isParams, isQuery } from '../schemas/ajv.mjs';

const refuse = (validate) => Response.json({ errors: validate.errors }, { status: 400 });

const hello = { '/': { GET: () => Response.json({ hello: 'world' }) } };

const stoppable = (/** @type {string} */ name) => async (request) =>
  request.headers.get('x-stop') === name ? Response.json({ stopped: name }) : undefined;
const hooks = ['onRequest', 'preValidation', 'preHandler', 'onSend'].map(stoppable);

/** @type {Record<string, Record<string, Record<string, (request: any) => Response | Promise<Response>>>>} */
const routes = {
  get: hello,
  'not-found': hello,
  'params-query': {
    '/users/:id': {
      GET(request) {
        const params = { id: request.params.id };
        const query = Object.fromEntries(new URL(request.url).searchParams);
        if (!isParams(params)) return refuse(isParams);
        if (!isQuery(query)) return refuse(isQuery);
        return Response.json({ id: params.id, verbose: query.verbose, limit: query.limit });
      },
    },
  },
  post: {
    '/orders': {
      async POST(request) {
        const body = await request.json();
        if (!isOrder(body)) return refuse(isOrder);
        return Response.json({ id: 7, customer: body.customer, items: body.items });
      },
    },
  },
  hooks: {
    '/': {
      async GET(request) {
        for (const hook of hooks) {
          const stopped = await hook(request);
          if (stopped !== undefined) return stopped;
        }
        return Response.json({ hello: 'world' });
      },
    },
  },
  rows: { '/rows': { GET: () => Response.json(rows) } },
};

/** @param {string} scenario */
export async function start(scenario) {
  const server = globalThis.Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    routes: routes[scenario],
    fetch: () => Response.json({ error: 'nothing here' }, { status: 404 }),
  });
  return { port: server.port, close: () => server.stop(true) };
}
