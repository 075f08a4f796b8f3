/**
 * Owns what the engine uses of node's request and response beyond the documentation, all in one place. Each is a method or a field
 * that published libraries rely on, too; where a node has it no more, the documented way beside it is taken.
 */
import { type IncomingHttpHeaders, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface NodeRequest extends IncomingMessage {
  joinDuplicateHeaders?: boolean;
  upgrade?: boolean | null;
  /** Keeps the fields, and makes objects of them when they are asked for. */
  _addHeaderLines?(rawHeaders: string[], count: number): void;
}

export interface NodeResponse extends ServerResponse {
  /** Whether the connection ends behind this answer. */
  _last?: boolean;
  _keepAliveTimeout?: number;
  _maxRequestsPerSocket?: number;
  maxRequestsOnConnectionReached?: boolean;
  /** The head, once it is made. */
  _header?: string | null;
  _headerSent?: boolean;
  _closed?: boolean;
  destroyed: boolean;
  finished: boolean;
}

export type RequestClass = new (socket: Socket) => IncomingMessage;
export type ResponseClass = new (request: IncomingMessage, options?: object) => ServerResponse;

/** Symbols that node does not export, by description, each looked for once. */
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

/** The classes that a server was made with: libraries compare constructors. */
export function requestClassOf(server: Server): RequestClass {
  const given = readHidden(server, 'IncomingMessage');
  return typeof given === 'function' ? (given as RequestClass) : IncomingMessage;
}

export function responseClassOf(server: Server): ResponseClass {
  const given = readHidden(server, 'ServerResponse');
  return typeof given === 'function' ? (given as ResponseClass) : ServerResponse;
}

/** Hands on the server's option `uniqueHeaders`. */
export function copyUniqueHeaders(server: Server, response: ServerResponse): void {
  const names = readHidden(server, 'kUniqueHeaders');
  if (names != null) writeHidden(response, 'kUniqueHeaders', names);
}

/** Tells a response that waits for it that its socket takes more. */
export function tellDrained(response: ServerResponse): void {
  if (!response.writableNeedDrain) return;
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
