/**
 * All that the engine uses of node without documentation: members of servers, requests and responses, which published libraries depend
 * on, too. They are looked for when this file is loaded. If one is missing, node serves all connections: the responses are the same.
 */
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { EngineExchange } from './engine-exchange.ts';

/** Node's own listener of the event that announces a connection. */
export type ConnectionListener = (this: Server, socket: Socket) => void;
export type RequestClass = new (socket: Socket) => IncomingMessage;
export type ResponseClass = new (request: IncomingMessage, options?: object) => ServerResponse;

interface NodeServer extends Server {
  readonly httpAllowHalfOpen: boolean;
  readonly joinDuplicateHeaders: boolean | undefined;
  readonly maxHeaderSize: number | undefined;
  readonly rejectNonStandardBodyWrites: boolean;
  readonly [symbol: symbol]: unknown;
}

interface NodeRequest extends IncomingMessage {
  readonly _readableState: Record<string, boolean>;
  joinDuplicateHeaders: boolean;
  upgrade: boolean | null;
  /** Stores the fields, and creates objects from them when somebody reads them. */
  _addHeaderLines(rawHeaders: string[], count: number): void;
}

interface NodeResponse extends ServerResponse {
  /** Whether the connection ends after this response. */
  readonly _last: boolean;
  _keepAliveTimeout: number;
  _maxRequestsPerSocket: number;
  maxRequestsOnConnectionReached: boolean;
  /** The head, when it has been created. */
  _header: string | null;
  _headerSent: boolean;
  _closed: boolean;
  destroyed: boolean;
  finished: boolean;
  [symbol: symbol]: unknown;
}

const sampleServer = createServer() as NodeServer;
const sampleRequest = new IncomingMessage(new Socket());
const sampleResponse = new ServerResponse(sampleRequest) as NodeResponse;
sampleResponse.finished = true;

/** The members that must exist. Symbols, which node does not export, are found by their description. */
export const members: Readonly<Record<'server' | 'request' | 'response', readonly string[]>> = {
  server: [
    'Symbol(IncomingMessage)',
    'Symbol(ServerResponse)',
    'Symbol(kUniqueHeaders)',
    'httpAllowHalfOpen',
    'joinDuplicateHeaders',
    'maxHeaderSize',
    'rejectNonStandardBodyWrites',
  ],
  request: ['_addHeaderLines', '_readableState', 'joinDuplicateHeaders', 'upgrade'],
  response: [
    'Symbol(kNeedDrain)',
    // Before Node 24, the state follows from `finished`.
    ...(sampleResponse.writableFinished ? [] : ['Symbol(kWritableFinished)']),
    '_closed',
    '_header',
    '_headerSent',
    '_keepAliveTimeout',
    '_last',
    'assignSocket',
    'detachSocket',
    'finished',
    'maxRequestsOnConnectionReached',
    'shouldKeepAlive',
  ],
};

/** Returns the key of a member; `undefined` if the object has no such member. */
function keyOf(object: object, name: string): PropertyKey | undefined {
  return name in object
    ? name
    : Object.getOwnPropertySymbols(object).find((symbol) => String(symbol) === name);
}

const requestClassKey = keyOf(sampleServer, 'Symbol(IncomingMessage)') as symbol;
const responseClassKey = keyOf(sampleServer, 'Symbol(ServerResponse)') as symbol;
const uniqueHeadersKey = keyOf(sampleServer, 'Symbol(kUniqueHeaders)') as symbol;
const needDrainKey = keyOf(sampleResponse, 'Symbol(kNeedDrain)') as symbol;
const writableFinishedKey = keyOf(sampleResponse, 'Symbol(kWritableFinished)') as symbol | undefined;

/** Whether this version of node has everything that is used here. */
export const isSupported: boolean =
  members.server.every((name) => keyOf(sampleServer, name) !== undefined) &&
  members.request.every((name) => keyOf(sampleRequest, name) !== undefined) &&
  members.response.every((name) => keyOf(sampleResponse, name) !== undefined);

/** Node's own listener, the same for every server of `node:http` and `node:https`; `undefined` if node has none. */
export const nodeListener = sampleServer.listeners('connection')[0] as ConnectionListener | undefined;

// ---- servers

/** The request class of the server, because libraries compare constructors. */
export function requestClassOf(server: Server): RequestClass {
  return (server as NodeServer)[requestClassKey] as RequestClass;
}

export function responseClassOf(server: Server): ResponseClass {
  return (server as NodeServer)[responseClassKey] as ResponseClass;
}

/** The option `maxHeaderSize` of the server, if it was set. */
export function maxHeaderSizeOf(server: Server): number | undefined {
  return (server as NodeServer).maxHeaderSize;
}

export function joinsDuplicates(server: Server): boolean {
  return (server as NodeServer).joinDuplicateHeaders === true;
}

export function allowsHalfOpen(server: Server): boolean {
  return (server as NodeServer).httpAllowHalfOpen === true;
}

/** Lets code find the server of a socket, as on sockets that node serves. */
export function setServer(socket: Socket, server: Server): void {
  (socket as Socket & { server: Server }).server = server;
}

// ---- requests

/** Creates the request as node's parser would, without its body. */
export function makeRawRequest(
  RequestClass: RequestClass,
  exchange: EngineExchange,
  joinsDuplicateHeaders: boolean,
): IncomingMessage {
  const request = new RequestClass(exchange.socket) as NodeRequest;
  request.httpVersionMajor = 1;
  request.httpVersionMinor = 1;
  request.httpVersion = '1.1';
  request.joinDuplicateHeaders = joinsDuplicateHeaders;
  request.url = exchange.target;
  request.method = exchange.method;
  request.upgrade = false;
  const { rawHeaders } = exchange;
  request._addHeaderLines(rawHeaders, rawHeaders.length);
  return request;
}

/** Ends the body, as node's parser does. */
export function completeRawRequest(request: IncomingMessage): void {
  request.complete = true;
  request.push(null);
}

/** Gives a request the state that it would have after its body was read to the end and its events were emitted. */
export function markRead(request: IncomingMessage): void {
  const { _readableState: state } = request as NodeRequest;
  for (const name of ['ended', 'endEmitted', 'destroyed', 'closed', 'closeEmitted']) state[name] = true;
}

// ---- responses

/** Creates the response as node's server would, without its socket. */
export function makeRawResponse(
  ResponseClass: ResponseClass,
  server: Server,
  { rawRequest, isLast, isLimitReached }: EngineExchange,
): ServerResponse {
  const response = new ResponseClass(rawRequest, {
    highWaterMark: rawRequest.socket.writableHighWaterMark,
    rejectNonStandardBodyWrites: (server as NodeServer).rejectNonStandardBodyWrites,
  }) as NodeResponse;
  response._keepAliveTimeout = server.keepAliveTimeout;
  response._maxRequestsPerSocket = server.maxRequestsPerSocket ?? 0;
  response.maxRequestsOnConnectionReached = isLimitReached;
  response.shouldKeepAlive = !isLast;
  const uniqueHeaders = (server as NodeServer)[uniqueHeadersKey];
  if (uniqueHeaders != null) response[uniqueHeadersKey] = uniqueHeaders;
  return response;
}

/** Makes a response that has not been written announce the end of its connection. */
export function announceEnd(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}

/** Lets a response write. */
export function assignSocket(response: ServerResponse, socket: Socket): void {
  response.assignSocket(socket);
}

/** Emits `drain` on a response that waits until its socket can take more data. */
export function emitDrain(response: ServerResponse): void {
  if (!response.writableNeedDrain) return;
  (response as NodeResponse)[needDrainKey] = false;
  response.emit('drain');
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
  answered.finished = true;
  if (writableFinishedKey !== undefined) answered[writableFinishedKey] = true;
  markClosed(answered);
}

/** Makes a response look as node's responses do when the client has left: it keeps the socket that was closed. */
export function abortResponse(response: ServerResponse, socket: Socket): void {
  Object.assign(response, { connection: socket });
  markClosed(response as NodeResponse);
}

function markClosed(response: NodeResponse): void {
  response.destroyed = true;
  response._closed = true;
}

/** Emits the last events of a response that was marked as answered or aborted. */
export function emitEnd(response: ServerResponse, error: Error | null | undefined): void {
  if (error == null) response.emit('finish');
  response.emit('close');
}

/** Whether the connection ends after a response that node wrote. */
export function isLastAnswer(response: ServerResponse): boolean {
  return (response as NodeResponse)._last;
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
