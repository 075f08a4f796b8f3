// How the checks of the plugins send requests to an application.
import { once } from 'node:events';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** @param fixed Header fields of all requests. */
export function sendTo(origin, fixed = {}) {
  const ask = (path, { headers, ...init } = {}) =>
    fetch(origin + path, { redirect: 'manual', ...init, headers: { ...headers, ...fixed } });
  /** Without decoding what was compressed, which `fetch` always does. */
  const raw = async (path, { headers }) => {
    const outgoing = request(origin + path, { headers: { ...headers, ...fixed }, agent: false }).end();
    const [response] = await once(outgoing, 'response');
    return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
  };
  return { ask, raw, origin };
}
