/** The reply, as handlers, hooks and plugins see it. */
import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { SerializerFunction } from './compilers.ts';
import type { ContextOf } from './context.ts';
import type { ContextTypes } from './context-types.ts';
import type { Replied, Sendable } from './handler-result.ts';
import type { Logger } from './logger.ts';
import type { Request, RequestOf } from './request.ts';
import type { RouteInfo } from './route-info.ts';
import type { PartOf, PayloadOf, RouteTypes, StatusOf } from './route-types.ts';

/** The value of a reply header. An array is sent as several headers of that name. */
export type HeaderValue = string | number | string[] | undefined;

/** Returns the value of a trailer when the payload has been sent: at once, by promise, or by `done`. */
export type TrailerFunction<Reply> = (
  reply: Reply,
  payload: unknown,
  done: (error: Error | null, value?: string) => void,
) => PromiseLike<string> | string | undefined | void;

/** The methods that return the reply itself, so that calls can be chained. They keep the type of a reply that is typed by its route. */
export interface ReplyChain {
  /**
   * Sets a header.
   * @param name In any case.
   * @param value Default `''`. A value of `set-cookie` is added to those that were set before.
   */
  header(name: string, value?: HeaderValue): this;
  /** Sets several headers. @param values The values by name. */
  headers(values: { [name: string]: HeaderValue }): this;
  /** Removes a header that was set. @param name In any case. */
  removeHeader(name: string): this;
  /** Sets the Content-Type. @param mediaType A JSON type without a charset is sent with `charset=utf-8`. */
  type(mediaType: string): this;
  /**
   * Redirects the client, and ends the request.
   * @param url Where to. Characters that a header cannot hold are percent-encoded.
   * @param status From 200 to 599; otherwise it throws {FST_ERR_BAD_STATUS_CODE}. Default: the status that was set before, or 302.
   */
  redirect(url: string | URL, status?: number): this;
  /** Answers with the not-found handler of this context. */
  callNotFound(): this;
  /** From here on the framework sends nothing for this request: the application writes to `reply.raw` itself. */
  hijack(): this;
  /**
   * Adds a trailer: a header that is sent after the payload (RFC 9110, 6.5).
   * @param name In any case.
   * @param value Returns the value when the payload has been sent.
   * @throws {FST_ERR_BAD_TRAILER_NAME} if a trailer must not have this name, {FST_ERR_BAD_TRAILER_VALUE} if `value` is not a function.
   */
  trailer(name: string, value: TrailerFunction<this>): this;
  /** Removes a trailer that was added. @param name In any case. */
  removeTrailer(name: string): this;
  /**
   * Sends a response 103 with links before the reply (RFC 8297).
   * @param hints Its headers.
   * @param callback Called when it is written.
   */
  writeEarlyHints(hints: Record<string, string | string[]>, callback?: () => void): this;
  /** Sets the serializer of this one reply (specification 6.6). @param serialize Takes the payload, and returns what is sent. */
  serializer(serialize: (payload: never) => string | Buffer): this;
}

/** The members of a reply that do not depend on its context. */
export interface ReplyParts<Route extends RouteTypes = RouteTypes> extends ReplyChain {
  /** The logger of the request. */
  log: Logger;
  /** Node's own response object. A plugin may assign another one. Its headers are sent, too, but for those that the reply has set. */
  raw: ServerResponse;
  /** Whether the response has ended, or the reply was hijacked. */
  readonly sent: boolean;
  /** The status of the response. Default 200. */
  statusCode: number;
  /** Milliseconds since the request arrived. 0 if nothing observes the response: neither a logger nor an `onResponse` hook. */
  readonly elapsedTime: number;
  /** The media type of the Content-Type that was set, or `undefined`. */
  readonly mediaType: string | undefined;
  /**
   * Sends the reply. It never throws: if the payload cannot be sent, the request fails, and its error handler is called.
   * @param payload An object or another value that is serialized, a string, a Buffer, a typed array, a stream, a web stream, a `Response`,
   *   `null`, or `undefined` for no content. An Error is given to the error handler.
   */
  send(payload: Sendable<PartOf<Route, 'Reply', unknown>>): this;
  /**
   * Sets the status.
   * @param status From 200 to 599. A fraction is cut off.
   * @throws {FST_ERR_BAD_STATUS_CODE} for any other value.
   */
  code(status: number): this;
  /** The same as `code`. @param status From 200 to 599. */
  status(status: number): this;
  /**
   * Reads a header that was set.
   * @param name In any case.
   * @returns Its value, or `undefined`.
   */
  getHeader(name: string): OutgoingHttpHeader | undefined;
  /** Reads all headers that were set. @returns A copy: the values by name, names in lower case. */
  getHeaders(): Record<string, OutgoingHttpHeader | undefined>;
  /** Tells whether a header was set. @param name In any case. */
  hasHeader(name: string): boolean;
  /** Tells whether a trailer was added. @param name In any case. */
  hasTrailer(name: string): boolean;
  /**
   * Serializes a value as `send` would, without sending it.
   * @param payload The value.
   * @throws What the serializer throws.
   */
  serialize(payload: unknown): string;
  /**
   * Finds a serializer that exists already.
   * @param statusOrSchema A status of this route's response schemas, or a schema that `compileSerializationSchema` has compiled.
   * @param mediaType The media type, if the schema of that status has one schema for each.
   */
  getSerializationFunction(
    statusOrSchema: string | number | object,
    mediaType?: string,
  ): SerializerFunction | undefined;
  /**
   * Compiles a schema with the serializer compiler of this route, which throws for an invalid one. The same object is compiled once.
   * @param schema The schema.
   * @param status The status that is given to the compiler. Default `null`.
   * @param mediaType The media type that is given to the compiler. Default `null`.
   */
  compileSerializationSchema(
    schema: object,
    status?: string | number | null,
    mediaType?: string | null,
  ): SerializerFunction;
  /**
   * Serializes any value with the response schema of a status, or with another schema.
   * @param input The value.
   * @param schemaOrStatus A schema, or a status of this route's response schemas.
   * @param statusOrMediaType After a schema: the status that is given to the compiler. After a status: the media type.
   * @param mediaType After a schema and a status: the media type that is given to the compiler.
   * @throws {FST_ERR_MISSING_SERIALIZATION_FN} if the route has no schema for that status,
   *   {FST_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN} if it has none for that media type.
   */
  serializeInput(
    input: unknown,
    schemaOrStatus: object | string | number,
    statusOrMediaType?: string | number,
    mediaType?: string,
  ): string;
  /**
   * Reads a decorator; a function is bound to this reply.
   * @param name Its name.
   * @throws {FST_ERR_DEC_UNDECLARED} if there is none.
   */
  getDecorator<T = unknown>(name: string | symbol): T;
  /**
   * Makes `await reply` wait for the end of the response.
   * @param fulfilled Called then.
   * @param rejected Gets the error of writing it.
   */
  then(fulfilled?: ((value: undefined) => void) | null, rejected?: ((error: Error) => void) | null): void;
}

/** A reply. If you add decorators to it, augment this interface to type them, or declare them in a chain. */
export interface Reply<Route extends RouteTypes = RouteTypes, Types extends ContextTypes = ContextTypes>
  extends ReplyParts<Route> {
  /** The request that is replied to. */
  readonly request: Request<Route, Types> & Types['request'];
  /** The context of the route. */
  readonly server: ContextOf<Types>;
  /** The options of the route, with their defaults filled in. */
  readonly routeOptions: RouteInfo;
}

/** A reply in a context: with the context's decorators, and without types of a route. */
export type ReplyOf<Types extends ContextTypes = ContextTypes> = Reply<RouteTypes, Types> & Types['reply'];

/** The reply of a route's handler. `Status` is the status that `code` set last. */
export type TypedReply<Responses, Types extends ContextTypes, Status extends number = 200> = ReplyWith<
  Responses,
  Types,
  Status
> &
  Types['reply'];
interface UntypedReply
  extends Omit<Reply, 'code' | 'status' | 'statusCode' | 'send' | 'then' | keyof ReplyChain> {}
interface ReplyWith<Responses, Types extends ContextTypes, Status extends number>
  extends UntypedReply,
    ReplyChain,
    Replied {
  /** The request that is replied to. */
  readonly request: RequestOf<Types>;
  /** The context of the route. */
  readonly server: ContextOf<Types>;
  /**
   * Sets the status; the reply is then typed for the payload of that status.
   * @param status A status that the route's schema declares a response for; any from 200 to 599 without response schemas.
   * @throws {FST_ERR_BAD_STATUS_CODE} for a value that is not from 200 to 599.
   */
  code<const Code extends StatusOf<Responses>>(status: Code): TypedReply<Responses, Types, Code>;
  /** The same as `code`. @param status A status that the route's schema declares a response for. */
  status<const Code extends StatusOf<Responses>>(status: Code): TypedReply<Responses, Types, Code>;
  /** The status of the response. Default 200. */
  get statusCode(): number;
  set statusCode(status: StatusOf<Responses>);
  // Does not return `this`, because nothing typed follows `send`, and the compiler compares this type with the handler's result for every
  // route.
  /**
   * Sends the reply. It never throws: if the payload cannot be sent, the request fails, and its error handler is called.
   * @param payload What the response schema of the status takes, or an Error, for the error handler. Without schemas: a value that is
   *   serialized, a string, bytes, a stream, a web stream, a `Response`, `null`, or `undefined` for no content.
   */
  send(payload: Sendable<PayloadOf<Responses, Status, Types['schemas']>>): Reply<RouteTypes, Types>;
}
