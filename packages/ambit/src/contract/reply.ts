/** The reply as handlers, hooks and plugins see it, short of what ties it to a context. */
import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { SerializerFunction } from './compiler.ts';
import type { Logger } from './logger.ts';
import type { PartOf, RouteTypes } from './request.ts';
import type { Sendable } from './route-types.ts';

export type HeaderValue = string | number | string[] | undefined;

/** Computes the value of a trailer when the payload has been sent: at once, by promise or by callback. */
export type TrailerFunction<Reply> = (
  reply: Reply,
  payload: unknown,
  done: (error: Error | null, value?: string) => void,
) => PromiseLike<string> | string | undefined | void;

/** What a reply does and gives itself back for, so that calls chain: also on a reply that knows more of its route. */
export interface ReplyChain {
  /** Sets a header. `set-cookie` appends. */
  header(name: string, value?: HeaderValue): this;
  headers(values: { [name: string]: HeaderValue }): this;
  removeHeader(name: string): this;
  /** Sets Content-Type; JSON types without a charset get `charset=utf-8`. */
  type(mediaType: string): this;
  /** Redirects: to 302, unless `status` is given or set before. */
  redirect(url: string | URL, status?: number): this;
  /** Hands the request to the not-found handler of this context. */
  callNotFound(): this;
  /** Takes the response out of the framework's hands: nothing more is sent for you. */
  hijack(): this;
  /** Adds a trailer (RFC 9110, 6.5). */
  trailer(name: string, value: TrailerFunction<this>): this;
  removeTrailer(name: string): this;
  /** Sends a 103 response (RFC 8297). */
  writeEarlyHints(hints: Record<string, string | string[]>, callback?: () => void): this;
  /** Sets the serializer of this one reply (specification 6.6). */
  serializer(serialize: (payload: never) => string | Buffer): this;
}

/** Everything of a reply that does not depend on the context it is made in. */
export interface ReplyParts<Route extends RouteTypes = RouteTypes> extends ReplyChain {
  log: Logger;
  /** Node's own response object; another one may be put in its place. Headers set on it merge into the reply. */
  raw: ServerResponse;
  /** True once the response has ended, or was hijacked. */
  readonly sent: boolean;
  statusCode: number;
  /** Milliseconds since the request arrived; 0 where nothing observes the response (no logger, no `onResponse`). */
  readonly elapsedTime: number;
  /** The media type of the reply, or `undefined`. */
  readonly mediaType: string | undefined;
  /**
   * Sends the payload: an object (serialized), string, Buffer, typed array, stream, web stream, `Response`, `null`,
   * `undefined`, or an Error (goes to the error handlers).
   */
  send(payload: Sendable<PartOf<Route, 'Reply', unknown>>): this;
  /** Sets the status, from 100 to 599; a fraction is cut off. */
  code(status: number): this;
  /** The same as `code`. */
  status(status: number): this;
  getHeader(name: string): OutgoingHttpHeader | undefined;
  getHeaders(): Record<string, OutgoingHttpHeader | undefined>;
  hasHeader(name: string): boolean;
  hasTrailer(name: string): boolean;
  /** Serializes as `send` would, without sending. */
  serialize(payload: unknown): string;
  getSerializationFunction(
    statusOrSchema: string | number | object,
    mediaType?: string,
  ): SerializerFunction | undefined;
  /** Compiles a schema with the serializer compiler of this route; once per schema. */
  compileSerializationSchema(
    schema: object,
    status?: string | number | null,
    mediaType?: string | null,
  ): SerializerFunction;
  /**
   * Serializes any value with the response schema of a status, or with another schema.
   *
   * @throws {SerializerMissing} when the route has no schema for that status.
   */
  serializeInput(
    input: unknown,
    schemaOrStatus: object | string | number,
    statusOrMediaType?: string | number,
    mediaType?: string,
  ): string;
  /** The value of a reply decorator; functions come bound to this reply. */
  getDecorator<T = unknown>(name: string | symbol): T;
  then(fulfilled?: ((value: undefined) => void) | null, rejected?: ((error: Error) => void) | null): void;
}
