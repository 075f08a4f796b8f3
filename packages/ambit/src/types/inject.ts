/** `inject`, with and without types of routes. */

import type { Server } from 'node:http';
import type { Readable } from 'node:stream';
import type {
  CallArguments,
  CallRequest,
  EntriesOf,
  PathOf,
  ReplyAt,
  RequestedPath,
  RouteAt,
} from './calls.ts';

/** The response to an injected request. */
export interface InjectResponse {
  /** The status. */
  statusCode: number;
  /** The reason phrase of the status. */
  statusMessage: string;
  /** The headers, names in lower case. */
  headers: Record<string, string | string[] | number | undefined>;
  /** The trailers. */
  trailers: Record<string, string>;
  /** The body as text. */
  payload: string;
  /** The same as `payload`. */
  body: string;
  /** The body as bytes. */
  rawPayload: Buffer;
  /** The cookies that the response sets. */
  cookies: { name: string; value: string; [attribute: string]: unknown }[];
  /**
   * Parses the body as JSON.
   * @returns The value.
   * @throws {SyntaxError} if it is not JSON.
   */
  json<T = unknown>(): T;
  /** Reads the body as a stream. */
  stream(): Readable;
}
type Verb = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete' | 'options' | 'trace';

/** A chain that builds an injected request: `app.inject().get('/').headers({})`. Its methods `get`, `post`, … set method and URL. */
export interface InjectChain extends Promise<InjectResponse>, Record<Verb, (url: string) => InjectChain> {
  /** Sets the body. @param body An object is sent as JSON. */
  body(body: string | object | Buffer): InjectChain;
  /** The same as `body`. @param payload An object is sent as JSON. */
  payload(payload: string | object | Buffer): InjectChain;
  /** Sets the headers. @param headers The values by name. */
  headers(headers: object): InjectChain;
  /** Sets the query string. @param query The text, or the values by name. */
  query(query: string | object): InjectChain;
  /** Sets cookies. @param cookies The values by name. */
  cookies(cookies: object): InjectChain;
  /** Sends the request. @returns A promise of the response. */
  end(): Promise<InjectResponse>;
  /** Sends the request. @param callback Gets the response, or the error. */
  end(callback: (error: Error | undefined, response: InjectResponse | undefined) => void): void;
}

/** A URL, as one string or in parts. */
export type InjectTarget =
  | string
  | { pathname: string; protocol?: string; hostname?: string; port?: number; query?: string | object };

/** The body of an injected request. An object is sent as JSON. */
export type InjectPayload = string | object | Buffer | NodeJS.ReadableStream;

/** A request that is sent without a socket. */
export interface InjectOptions {
  /** Default `GET`. */
  method?: string;
  /** The URL: path and query string, or an absolute URL. Give either `url` or `path`. */
  url?: InjectTarget;
  /** The same as `url`. */
  path?: InjectTarget;
  /** The query string, or its values. It is added to the one in the URL. */
  query?: string | { [name: string]: string | string[] };
  /** The headers. */
  headers?: Record<string, string | string[] | number | undefined>;
  /** Cookies, by name. */
  cookies?: { [name: string]: string };
  /** The body. An object is sent as JSON. */
  payload?: InjectPayload;
  /** The same as `payload`. */
  body?: InjectPayload;
  /** The address of the client. Default `127.0.0.1`. */
  remoteAddress?: string;
  /** The `host` header. Default `localhost:80`. */
  authority?: string;
  /** Aborting it ends the request, as if the client had closed the connection. */
  signal?: AbortSignal;
  /** Whether the promise resolves as soon as the headers of the response are sent. Read the body with `stream()` then. Default `false`. */
  payloadAsStream?: boolean;
  /** Faults of the connection: `end` never comes, chunks are `split`, an `error` occurs, the connection `close`s. */
  simulate?: { end?: boolean; split?: boolean; error?: boolean; close?: boolean };
  /** Node's server: `this` of the function that serves the request. */
  server?: Server;
}

/** The options of a typed call that do not come from the schemas of the route. */
type InjectSettings = Pick<InjectOptions, 'cookies' | 'remoteAddress' | 'authority' | 'signal' | 'simulate'>;

/** The response to a typed call: `statusCode` determines the type that `json` returns. Text, bytes or an empty body are not JSON. */
export type InjectReply<Reply> = Reply extends { status: infer Status; body: infer Body }
  ? Omit<InjectResponse, 'statusCode' | 'json'> & {
      statusCode: Status;
      json(): Exclude<Body, string | undefined | Blob>;
    }
  : never;

/** `app.inject` of a context, typed by the routes that the compiler knows. */
export interface Inject<out Routes = unknown> extends InjectCalls {
  /**
   * Sends a request, after boot.
   * @param options The URL, or the whole request.
   * @throws {FST_ERR_REOPENED_CLOSE_SERVER} as a rejection.
   */
  (options: InjectOptions | string): Promise<InjectResponse>;
  /** Builds a request by a chain of calls. */
  (): InjectChain;
  /**
   * Sends a request.
   * @param options The URL, or the whole request.
   * @param callback Gets the response, or the error.
   */
  (
    options: InjectOptions | string,
    callback: (error: Error | undefined, response: InjectResponse | undefined) => void,
  ): void;
  /** For the compiler only: the member does not exist at run time. */
  readonly '~routes'?: Routes;
}
type RoutesIn<Self> = Self extends { readonly '~routes'?: infer Routes } ? EntriesOf<Routes> : unknown;

/** The routes come from the type of `this`, so that a context with known routes is assignable to any other context. */
type InjectCalls = {
  [Name in Exclude<Verb, 'trace'>]: InjectCall<Uppercase<Name>>;
};
type InjectCall<Method extends string> = <Self, const Path extends string>(
  this: Self,
  path: RequestedPath<Path, PathOf<RoutesIn<Self>, Method>>,
  ...request: CallArguments<CallRequest<RouteAt<RoutesIn<Self>, Method, Path>> & InjectSettings>
) => Promise<InjectReply<ReplyAt<RoutesIn<Self>, Method, Path>>>;
