/** Owns creating a response of node's class when somebody reads it, and what node's own server would do with it. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { copyUniqueHeaders, type NodeResponse, type ResponseClass } from './node-internals.ts';

/** The response as node's server would have created it, without its socket. */
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

/** What node's server does after a response has finished. */
export function closeResponse(response: ServerResponse, socket: Socket): void {
  response.detachSocket(socket);
  process.nextTick(emitClose, response);
}

/** The client has left before the response got the socket. Node itself tells a response only if it has the socket. */
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
