/** Requests without a socket: what is asked, and what is answered. */
import type { Server } from 'node:http';
import type { Readable } from 'node:stream';
import type { EntriesOf } from './context-types.ts';
import type { CallArguments, CallRequest, PathOf, ReplyAt, RequestedPath, RouteAt } from './typed-call.ts';

/** A URL, whole or in parts. */
export type InjectTarget =
  | string
  | { pathname: string; protocol?: string; hostname?: string; port?: number; query?: string | object };
export type InjectPayload = string | object | Buffer | NodeJS.ReadableStream;

/** A request made without a socket. */
export interface InjectOptions {
  method?: string;
  url?: InjectTarget;
  path?: InjectTarget;
  query?: string | { [name: string]: string | string[] };
  headers?: Record<string, string | string[] | number | undefined>;
  cookies?: { [name: string]: string };
  /** An object is sent as JSON. */
  payload?: InjectPayload;
  body?: InjectPayload;
  remoteAddress?: string;
  authority?: string;
  signal?: AbortSignal;
  payloadAsStream?: boolean;
  simulate?: { end?: boolean; split?: boolean; error?: boolean; close?: boolean };
  server?: Server;
}

/** The answer to an injected request. */
export interface InjectResponse {
  statusCode: number;
  statusMessage: string;
  headers: Record<string, string | string[] | number | undefined>;
  trailers: Record<string, string>;
  payload: string;
  body: string;
  rawPayload: Buffer;
  cookies: { name: string; value: string; [attribute: string]: unknown }[];
  json<T = unknown>(): T;
  stream(): Readable;
}

/** A chain that builds an injected request: `app.inject().get('/').headers({})`. */
export interface InjectChain extends Promise<InjectResponse> {
  get(url: string): InjectChain;
  head(url: string): InjectChain;
  post(url: string): InjectChain;
  put(url: string): InjectChain;
  patch(url: string): InjectChain;
  delete(url: string): InjectChain;
  options(url: string): InjectChain;
  trace(url: string): InjectChain;
  body(body: string | object | Buffer): InjectChain;
  payload(payload: string | object | Buffer): InjectChain;
  headers(headers: object): InjectChain;
  query(query: string | object): InjectChain;
  cookies(cookies: object): InjectChain;
  end(): Promise<InjectResponse>;
  end(callback: (error: Error | undefined, response: InjectResponse | undefined) => void): void;
}

/** The rest of a typed call: what is not a part of the request that a schema describes. */
type InjectSettings = Pick<InjectOptions, 'cookies' | 'remoteAddress' | 'authority' | 'signal' | 'simulate'>;

/** The answer to a typed call: `statusCode` tells what `json` gives. Text and nothing are no JSON. */
export type InjectReply<Reply> = Reply extends { status: infer Status; body: infer Body }
  ? Omit<InjectResponse, 'statusCode' | 'json'> & {
      statusCode: Status;
      json(): Exclude<Body, string | undefined>;
    }
  : never;

/** `app.inject` of a context, with the routes that are known of it. */
export interface Inject<out Routes = unknown> extends InjectCalls {
  (options: InjectOptions | string): Promise<InjectResponse>;
  (): InjectChain;
  (
    options: InjectOptions | string,
    callback: (error: Error | undefined, response: InjectResponse | undefined) => void,
  ): void;
  /** For the compiler; there is no such member at run time. */
  readonly '~routes'?: Routes;
}

type RoutesIn<Self> = Self extends { readonly '~routes'?: infer Routes } ? EntriesOf<Routes> : unknown;

/**
 * `app.inject.post('/users/:id', { params, query, headers, body })`. The routes are read off the object that the method is called on:
 * so the methods are the same for all contexts, and a context whose routes are known passes for any other.
 */
interface InjectCalls {
  get: InjectCall<'GET'>;
  post: InjectCall<'POST'>;
  put: InjectCall<'PUT'>;
  patch: InjectCall<'PATCH'>;
  delete: InjectCall<'DELETE'>;
  options: InjectCall<'OPTIONS'>;
  head: InjectCall<'HEAD'>;
}

type InjectCall<Method extends string> = <Self, const Path extends string>(
  this: Self,
  path: RequestedPath<Path, PathOf<RoutesIn<Self>, Method>>,
  ...request: CallArguments<CallRequest<RouteAt<RoutesIn<Self>, Method, Path>> & InjectSettings>
) => Promise<InjectReply<ReplyAt<RoutesIn<Self>, Method, Path>>>;
