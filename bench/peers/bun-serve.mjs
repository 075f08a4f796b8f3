// The scenarios on Bun.serve alone, with its own router; Ajv validates.
import { hookNames, rows } from '../scenarios.mjs';
import { findUser, saveOrder } from './by-hand.mjs';

const answer = ({ status, body }) => Response.json(body, { status });
const hello = { '/': { GET: () => Response.json({ hello: 'world' }) } };

const hooks = hookNames.map((name) => async (request) => {
  if (request.headers.get('x-stop') === name) return Response.json({ stopped: name });
});

/** @type {Record<string, Record<string, Record<string, (request: any) => Response | Promise<Response>>>>} */
const routes = {
  get: hello,
  'not-found': hello,
  'params-query': {
    '/users/:id': {
      GET({ params, url }) {
        return answer(findUser({ id: params.id }, Object.fromEntries(new URL(url).searchParams)));
      },
    },
  },
  post: { '/orders': { POST: async (request) => answer(saveOrder(await request.json())) } },
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

export function start(/** @type {string} */ scenario) {
  const fetch = () => Response.json({ error: 'nothing here' }, { status: 404 });
  return globalThis.Bun.serve({ port: 0, hostname: '127.0.0.1', routes: routes[scenario], fetch }).port;
}
