/** The options of `inject`: the request that it sends. */
import type { Server } from 'node:http';

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
