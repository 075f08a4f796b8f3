/** Creates a response of node's class, and does with it what node's server would do. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { copyUniqueHeaders, markSent, type NodeResponse, type ResponseClass } from './node-internals.ts';

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

/**
 * Makes a response look as if the engine's response had been sent with it. It is destroyed, so that a late `write` or `end` gets its error
 * only in its callback: an `error` event without a listener would end the process.
 */
export function markAnswered(response: ServerResponse, status: number): void {
  const answered = response as NodeResponse;
  answered.statusCode = status;
  answered._header = `HTTP/1.1 ${status}`;
  answered._headerSent = true;
  markSent(answered);
  markClosed(answered);
}

function markClosed(response: NodeResponse): void {
  response.destroyed = true;
  response._closed = true;
}

/** Makes a response look as node's responses do when the client has left: it keeps the socket that was closed. */
export function abortResponse(response: ServerResponse, socket: Socket): void {
  Object.assign(response, { connection: socket });
  markClosed(response as NodeResponse);
}

/** Emits the last events of a response that was marked as answered or aborted. */
export function emitEnd(response: ServerResponse, error: Error | null | undefined): void {
  if (error == null) response.emit('finish');
  response.emit('close');
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
  markClosed(response);
  response.emit('close');
}
