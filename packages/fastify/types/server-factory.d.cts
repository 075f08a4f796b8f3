/** Servers that the application creates itself. */
import type * as http from 'node:http';
import type * as http2 from 'node:http2';
import type * as https from 'node:https';
import type {
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
} from './utils.cjs';

/** Serves one request of such a server. */
export type FastifyServerFactoryHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
> = RawServer extends http.Server | https.Server
  ? (request: http.IncomingMessage & RawRequest, response: http.ServerResponse & RawReply) => void
  : (request: http2.Http2ServerRequest & RawRequest, response: http2.Http2ServerResponse & RawReply) => void;

/** Creates the server from the function that handles requests and the options. */
export type FastifyServerFactory<RawServer extends RawServerBase = RawServerDefault> = (
  handler: FastifyServerFactoryHandler<RawServer>,
  options: Record<string, unknown>,
) => RawServer;
