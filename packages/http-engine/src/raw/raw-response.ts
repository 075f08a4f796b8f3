/** Creates a response of node's class, and does with it what node's server would do. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { copyUniqueHeaders, type NodeResponse, type ResponseClass } from './node-internals.ts';

/** Creates the response as node's server would, without its socket. */
export function makeRawResponse(
  ResponseClass: ResponseClass,
  server: Server,
  request: IncomingMessage,
  isLast: boolean,
  isLimitReached: boolean,
): ServerResponse {
  const response = new ResponseClass(request, {
    highWaterMark: request.socket.writableHighWaterMark,
    rejectNonStandardBodyWrites: (server as { rejectNonStandardBodyWrites?: boolean })
      .rejectNonStandardBodyWrites,
  }) as NodeResponse;
  response._keepAliveTimeout = server.keepAliveTimeout;
  response._maxRequestsPerSocket = server.maxRequestsPerSocket ?? 0;
  response.maxRequestsOnConnectionReached = isLimitReached;
  response.shouldKeepAlive = !isLast;
  copyUniqueHeaders(server, response);
  return response;
}

/** Makes a response look as if it has already been sent. */
export function markAnswered(response: ServerResponse, status: number): void {
  const answered = response as NodeResponse;
  answered.statusCode = status;
  answered._header = `HTTP/1.1 ${status}`;
  answered._headerSent = true;
  answered.finished = true;
}

/** Whether the connection ends after a response that node wrote. */
export function isLastAnswer(response: ServerResponse): boolean {
  const { _last } = response as NodeResponse;
  return _last ?? !response.shouldKeepAlive;
}

/** Does what node's server does after a response has finished. */
export function closeResponse(response: ServerResponse, socket: Socket): void {
  response.detachSocket(socket);
  process.nextTick(emitClose, response);
}

/** Destroys a response whose client has left before it got the socket. Node itself does so only for the response that has the socket. */
export function abandonResponse(response: ServerResponse, error: Error): void {
  response.destroy(error);
  process.nextTick(emitClose, response);
}

function emitClose(response: NodeResponse): void {
  if (response._closed === true) return;
  response.destroyed = true;
  response._closed = true;
  response.emit('close');
}
