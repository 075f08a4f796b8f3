/** Requests without a socket: what is asked, and what is answered. */
import type { Server } from 'node:http';
import type { Readable } from 'node:stream';

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
