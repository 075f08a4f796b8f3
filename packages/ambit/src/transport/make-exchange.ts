/** Makes exchanges of node's own objects, wherever they come from. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Http2Exchange } from './http2-exchange.ts';
import { NodeExchange } from './node-exchange.ts';

/** The exchange for a pair of node objects of either version. */
export function exchangeOver(request: IncomingMessage, response: ServerResponse): NodeExchange {
  return request.httpVersionMajor === 2
    ? new Http2Exchange(request, response)
    : new NodeExchange(request, response);
}
