/**
 * Requests without a socket. These are the types of light-my-request 6.8, under the names that Fastify exports: the library itself is a
 * part of `ambit`, and not installed.
 */

import type * as http from 'node:http';
import type { Readable } from 'node:stream';

type Query = string | { [name: string]: string | string[] };
type Headers = http.IncomingHttpHeaders | http.OutgoingHttpHeaders;
type InjectPayload = string | object | Buffer | NodeJS.ReadableStream;

/** A URL, whole or in parts. */
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

/** A cookie of a response, with its attributes; of one that is sent, the path says whether it is. */
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

export interface InjectOptions {
  url?: InjectTarget;
  path?: InjectTarget;
  headers?: Headers;
  query?: Query;
  simulate?: { end: boolean; split: boolean; error: boolean; close: boolean };
  authority?: string;
  remoteAddress?: string;
  method?: InjectMethod;
  validate?: boolean;
  payload?: InjectPayload;
  body?: InjectPayload;
  server?: http.Server;
  autoStart?: boolean;
  cookies?: { [name: string]: string | Omit<InjectCookie, 'name'> } | InjectCookie[];
  signal?: { readonly aborted: boolean };
  Request?: object;
  payloadAsStream?: boolean;
}

export interface LightMyRequestResponse {
  raw: { res: http.ServerResponse; req: http.IncomingMessage };
  rawPayload: Buffer;
  headers: http.OutgoingHttpHeaders;
  statusCode: number;
  statusMessage: string;
  trailers: { [name: string]: string };
  payload: string;
  body: string;
  // biome-ignore lint/suspicious/noExplicitAny: as in Fastify, where applications rely on it.
  json: <T = any>() => T;
  stream: () => Readable;
  cookies: InjectCookie[];
  isLightMyRequest: true;
}

export type LightMyRequestCallback = (
  err: Error | undefined,
  response: LightMyRequestResponse | undefined,
) => void;

/** Builds a request: `app.inject().get('/').headers({})`. */
export interface LightMyRequestChain extends Promise<LightMyRequestResponse> {
  delete: (url: string) => LightMyRequestChain;
  get: (url: string) => LightMyRequestChain;
  head: (url: string) => LightMyRequestChain;
  options: (url: string) => LightMyRequestChain;
  patch: (url: string) => LightMyRequestChain;
  post: (url: string) => LightMyRequestChain;
  put: (url: string) => LightMyRequestChain;
  trace: (url: string) => LightMyRequestChain;
  body: (body: InjectPayload) => LightMyRequestChain;
  headers: (headers: Headers) => LightMyRequestChain;
  payload: (payload: InjectPayload) => LightMyRequestChain;
  query: (query: Query) => LightMyRequestChain;
  cookies: (cookies: InjectOptions['cookies']) => LightMyRequestChain;
  end(): Promise<LightMyRequestResponse>;
  end(callback: LightMyRequestCallback): void;
}
