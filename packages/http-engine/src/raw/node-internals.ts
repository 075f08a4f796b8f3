/**
 * Contains all uses of methods and fields of node's request and response that node does not document. Published
 * libraries also depend on them. If a version of node does not have one, the documented way is used
 * instead.
 */
import { type IncomingHttpHeaders, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface NodeRequest extends IncomingMessage {
  joinDuplicateHeaders?: boolean;
  upgrade?: boolean | null;
  /** Stores the fields, and creates objects from them when somebody reads them. */
  _addHeaderLines?(rawHeaders: string[], count: number): void;
}

export interface NodeResponse extends ServerResponse {
  /** Whether the connection ends after this response. */
  _last?: boolean;
  _keepAliveTimeout?: number;
  _maxRequestsPerSocket?: number;
  maxRequestsOnConnectionReached?: boolean;
  /** The head, when it has been created. */
  _header?: string | null;
  _headerSent?: boolean;
  _closed?: boolean;
  destroyed: boolean;
  finished: boolean;
}

export type RequestClass = new (socket: Socket) => IncomingMessage;
export type ResponseClass = new (request: IncomingMessage, options?: object) => ServerResponse;

/** Symbols that node does not export, by description. Each is searched once. */
const symbols: Map<string, symbol | undefined> = new Map();

function findSymbol(object: object, description: string): symbol | undefined {
  if (!symbols.has(description)) {
    let found: symbol | undefined;
    for (let holder: object | null = object; holder !== null; holder = Object.getPrototypeOf(holder)) {
      found ??= Object.getOwnPropertySymbols(holder).find((each) => each.description === description);
    }
    symbols.set(description, found);
  }
  return symbols.get(description);
}

function readHidden(object: object, description: string): unknown {
  const symbol = findSymbol(object, description);
  return symbol === undefined ? undefined : (object as Record<symbol, unknown>)[symbol];
}

function writeHidden(object: object, description: string, value: unknown): void {
  const symbol = findSymbol(object, description);
  if (symbol !== undefined) (object as Record<symbol, unknown>)[symbol] = value;
}

/** The request class of the server, because libraries compare constructors. */
export function requestClassOf(server: Server): RequestClass {
  const requestClass = readHidden(server, 'IncomingMessage');
  return typeof requestClass === 'function' ? (requestClass as RequestClass) : IncomingMessage;
}

export function responseClassOf(server: Server): ResponseClass {
  const responseClass = readHidden(server, 'ServerResponse');
  return typeof responseClass === 'function' ? (responseClass as ResponseClass) : ServerResponse;
}

/** Passes on the server's option `uniqueHeaders`. */
export function copyUniqueHeaders(server: Server, response: ServerResponse): void {
  const names = readHidden(server, 'kUniqueHeaders');
  if (names != null) writeHidden(response, 'kUniqueHeaders', names);
}

/** Gives a response the state that it would have when everything was sent. Since Node 24, it is a field of its own. */
export function markSent(response: NodeResponse): void {
  response.finished = true;
  writeHidden(response, 'kWritableFinished', true);
}

/** Gives a request the state that it would have after its body was read to the end and its events were emitted. */
export function markRead(request: IncomingMessage): void {
  const { _readableState: state } = request as IncomingMessage & { _readableState: Record<string, boolean> };
  for (const name of ['ended', 'endEmitted', 'destroyed', 'closed', 'closeEmitted']) state[name] = true;
}

/** Emits `drain` on the response that waits until its socket can take more data. */
export function emitDrain(socket: Socket): void {
  const { _httpMessage: response } = socket as Socket & { _httpMessage?: ServerResponse | null };
  if (!response?.writableNeedDrain) return;
  writeHidden(response, 'kNeedDrain', false);
  response.emit('drain');
}

export function setHeaders(
  request: NodeRequest,
  rawHeaders: string[],
  makeHeaders: () => IncomingHttpHeaders,
): void {
  if (request._addHeaderLines !== undefined) request._addHeaderLines(rawHeaders, rawHeaders.length);
  else Object.assign(request, { rawHeaders, headers: makeHeaders() });
}
