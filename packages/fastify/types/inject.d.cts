/**
 * Requests without a socket. These are the types of light-my-request 6.8, under the names that Fastify exports: the library itself is a
 * part of `ambit`, and not installed.
 */

import type * as http from 'node:http';
import type { Readable } from 'node:stream';

type Query = string | { [name: string]: string | string[] };
type Headers = http.IncomingHttpHeaders | http.OutgoingHttpHeaders;
type InjectPayload = string | object | Buffer | NodeJS.ReadableStream;

/** A URL as a string or as its parts. */
type InjectTarget =
  | string
  | { pathname: string; protocol?: string; hostname?: string; port?: string | number; query?: Query };

type InjectMethod =
  | 'DELETE'
  | 'delete'
  | 'GET'
  | 'get'
  | 'HEAD'
  | 'head'
  | 'PATCH'
  | 'patch'
  | 'POST'
  | 'post'
  | 'PUT'
  | 'put'
  | 'OPTIONS'
  | 'options'
  | 'QUERY'
  | 'query'
  | (string & {});

/** A cookie of a response, with its attributes. */
interface InjectCookie {
  name: string;
  value: string;
  path?: string;
  domain?: string;
  expires?: Date;
  maxAge?: number;
  secure?: boolean;
  httpOnly?: boolean;
  sameSite?: string;
  [attribute: string]: unknown;
}

/** A request without a socket. */
export interface InjectOptions {
  /** The URL: path and query string, or a whole URL. Give either `url` or `path`. */
  url?: InjectTarget;
  /** The same as `url`. */
  path?: InjectTarget;
  /** The headers. */
  headers?: Headers;
  /** The query string, or its values. It is added to the one in the URL. */
  query?: Query;
  /** Simulated faults of the connection: `end` never comes, chunks are `split`, an `error` occurs, the connection `close`s. */
  simulate?: { end: boolean; split: boolean; error: boolean; close: boolean };
  /** The `host` header. Default `localhost:80`. */
  authority?: string;
  /** The address of the client. Default `127.0.0.1`. */
  remoteAddress?: string;
  /** Default `GET`. */
  method?: InjectMethod;
  /** Not used. */
  validate?: boolean;
  /** The body. An object is sent as JSON. */
  payload?: InjectPayload;
  /** The same as `payload`. */
  body?: InjectPayload;
  /** Node's server, which is `this` in the function that serves the request. */
  server?: http.Server;
  /** Whether the request is sent without a call of `end`. Default `true`. */
  autoStart?: boolean;
  /** Cookies, by name. */
  cookies?: { [name: string]: string | Omit<InjectCookie, 'name'> } | InjectCookie[];
  /** Aborts the request, as if the client had closed the connection. */
  signal?: { readonly aborted: boolean };
  /** A class that the request extends. */
  Request?: object;
  /** Whether the response resolves when its headers are there; its body is then read by `stream()`. Default `false`. */
  payloadAsStream?: boolean;
}

/** The response of an injected request. */
export interface LightMyRequestResponse {
  /** Node's request and response objects. */
  raw: { res: http.ServerResponse; req: http.IncomingMessage };
  /** The body as bytes. */
  rawPayload: Buffer;
  /** The headers, names in lower case. */
  headers: http.OutgoingHttpHeaders;
  /** The status. */
  statusCode: number;
  /** The reason phrase of the status. */
  statusMessage: string;
  /** The trailers. */
  trailers: { [name: string]: string };
  /** The body as text. */
  payload: string;
  /** The same as `payload`. */
  body: string;
  /**
   * Parses the body as JSON.
   *
   * @returns The value.
   * @throws {SyntaxError} if it is not JSON.
   */
  // biome-ignore lint/suspicious/noExplicitAny: as in Fastify, where applications rely on it.
  json: <T = any>() => T;
  /** Reads the body as a stream. */
  stream: () => Readable;
  /** The cookies that the response sets. */
  cookies: InjectCookie[];
  /** Marks responses of injected requests. */
  isLightMyRequest: true;
}

/** Gets the response of an injected request, or the error. */
export type LightMyRequestCallback = (
  err: Error | undefined,
  response: LightMyRequestResponse | undefined,
) => void;

/** Builds a request: `app.inject().get('/').headers({})`. */
export interface LightMyRequestChain extends Promise<LightMyRequestResponse> {
  /**
   * Sets the method to DELETE.
   *
   * @param url The URL.
   */
  delete: (url: string) => LightMyRequestChain;
  /**
   * Sets the method to GET.
   *
   * @param url The URL.
   */
  get: (url: string) => LightMyRequestChain;
  /**
   * Sets the method to HEAD.
   *
   * @param url The URL.
   */
  head: (url: string) => LightMyRequestChain;
  /**
   * Sets the method to OPTIONS.
   *
   * @param url The URL.
   */
  options: (url: string) => LightMyRequestChain;
  /**
   * Sets the method to PATCH.
   *
   * @param url The URL.
   */
  patch: (url: string) => LightMyRequestChain;
  /**
   * Sets the method to POST.
   *
   * @param url The URL.
   */
  post: (url: string) => LightMyRequestChain;
  /**
   * Sets the method to PUT.
   *
   * @param url The URL.
   */
  put: (url: string) => LightMyRequestChain;
  /**
   * Sets the method to TRACE.
   *
   * @param url The URL.
   */
  trace: (url: string) => LightMyRequestChain;
  /**
   * Sets the body.
   *
   * @param body An object is sent as JSON.
   */
  body: (body: InjectPayload) => LightMyRequestChain;
  /**
   * Sets the headers.
   *
   * @param headers The values by name.
   */
  headers: (headers: Headers) => LightMyRequestChain;
  /**
   * The same as `body`.
   *
   * @param payload An object is sent as JSON.
   */
  payload: (payload: InjectPayload) => LightMyRequestChain;
  /**
   * Sets the query string.
   *
   * @param query The text, or the values by name.
   */
  query: (query: Query) => LightMyRequestChain;
  /**
   * Sets cookies.
   *
   * @param cookies The values by name.
   */
  cookies: (cookies: InjectOptions['cookies']) => LightMyRequestChain;
  /**
   * Sends the request.
   *
   * @returns A promise of the response.
   */
  end(): Promise<LightMyRequestResponse>;
  /**
   * Sends the request.
   *
   * @param callback Gets the response, or the error.
   */
  end(callback: LightMyRequestCallback): void;
}
