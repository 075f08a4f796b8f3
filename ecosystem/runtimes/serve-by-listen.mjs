// Serves an application on a socket, with node:http of the runtime.
import { once } from 'node:events';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export async function serveByListen(app) {
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const ask = (path, init) => fetch(origin + path, { redirect: 'manual', ...init });
  /** Without decoding what was compressed, which `fetch` always does. */
  const raw = async (path, { headers }) => {
    const outgoing = request(origin + path, { headers, agent: false }).end();
    const [response] = await once(outgoing, 'response');
    return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
  };
  return { ask, raw, origin };
}
