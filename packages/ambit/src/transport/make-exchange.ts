/** Creates exchanges from node's own objects, whatever server they come from. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { lazyModule, require } from '../shared/lazy-module.ts';
import { NodeExchange } from './node-exchange.ts';

const loadHttp2Exchange = lazyModule<typeof import('./http2-exchange.ts')>(() =>
  require('./http2-exchange.ts'),
);

/** Creates the exchange for a pair of node's objects, of HTTP/1.1 or HTTP/2. */
export function exchangeOver(request: IncomingMessage, response: ServerResponse): NodeExchange {
  return request.httpVersionMajor === 2
    ? new (loadHttp2Exchange().Http2Exchange)(request, response)
    : new NodeExchange(request, response);
}
