/** The request, and the parsers of bodies. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { HttpPart, ValidatorFunction } from './compilers.ts';
import type { Context, ContextOf } from './context.ts';
import type { ContextTypes } from './context-types.ts';
import type { HandledError, PayloadDone, Settled } from './hooks.ts';
import type { Logger } from './logger.ts';
import type { RouteInfo } from './route-info.ts';
import type { InferredRoute, PartOf, RouteSource, RouteTypes } from './route-types.ts';

/** Headers that a schema or a type argument declares have the declared types; all others are text, as node delivers them. */
export type HeadersOf<Declared> = unknown extends Declared
  ? IncomingHttpHeaders
  : Declared & Omit<KnownHeaders, keyof Declared> & NodeJS.Dict<string | string[]>;
type KnownHeaders = {
  [Name in keyof IncomingHttpHeaders as string extends Name ? never : Name]: IncomingHttpHeaders[Name];
};

/** The members that depend on neither route nor context: an interface of their own, which the compiler creates only once. */
export interface RequestParts {
  /** The id, unique within the process: from the option `genReqId`, or from the header that `requestIdHeader` names. */
  id: string;
  /** The logger of this request. Its lines carry the request's id. */
  log: Logger;
  /** The error of a request that is not valid, if the route has `attachValidation: true` (specification 5.5). */
  validationError?: HandledError;
  /** Node's own request object. A plugin may assign another one, or a Proxy around it. */
  raw: IncomingMessage;
  /** The method, in upper case as it was received. */
  readonly method: string;
  /** Path and query string that the request was routed by: after `rewriteUrl`. */
  readonly url: string;
  /**
   * The path of `url` as the router compares it, without the query string. All spellings of a path that lead to the same static
   * segments have the same text here: compare it in guards. Parameters in it may still be encoded: compare those in `params`.
   */
  readonly canonicalPath: string;
  /** Path and query string as received: before `rewriteUrl`. */
  readonly originalUrl: string;
  /** The media type of the body in canonical form: `application/json`. `undefined` without a valid Content-Type. */
  readonly mediaType: string | undefined;
  /** The address of the peer. Behind a proxy that `trustProxy` accepts, the address of the client. */
  readonly ip: string | undefined;
  /** The addresses from the peer to the client. `undefined` without `trustProxy`. */
  readonly ips: string[] | undefined;
  /** Host and port that the client asked for: untrusted input. Empty if it named none. */
  readonly host: string;
  /** `host` without the port. */
  readonly hostname: string;
  /** The port in `host`, or `null` if it has none. */
  readonly port: number | null;
  /** `https` if the connection is encrypted, or if a trusted proxy says so in `x-forwarded-proto`. */
  readonly protocol: 'http' | 'https' | undefined;
  /** The socket of the connection. */
  readonly socket: Socket;
  /**
   * Aborts when the client leaves before its response has ended, or when `handlerTimeout` has passed; never when the response ends
   * normally. `signal.reason` is an error with a code: `AMBIT_ERR_CLIENT_GONE` (its name is `AbortError`) or `FST_ERR_HANDLER_TIMEOUT`.
   */
  readonly signal: AbortSignal;
  /** The milliseconds that are left of `handlerTimeout`, at least 0; `Infinity` without a limit. */
  readonly remainingMs: number;
  /** Whether a not-found handler answers the request. */
  readonly is404: boolean;
  /** Finds a validator that exists. @param partOrSchema A part of this route, or a schema of `compileValidationSchema`. */
  getValidationFunction(partOrSchema: HttpPart | 'query' | object): ValidatorFunction | undefined;
  /**
   * Compiles a schema with the validator compiler of this route, which throws for an invalid one. The same object is compiled once.
   * @param schema The schema.
   * @param httpPart The part that is passed to the compiler. Default `null`.
   */
  compileValidationSchema(schema: object, httpPart?: HttpPart | null): ValidatorFunction;
  /**
   * Validates any value.
   * @param input The value.
   * @param schemaOrPart A schema, or a part of this route, whose schema is used.
   * @param httpPart The part whose schema is used, if this route has one for it; otherwise `schemaOrPart` is compiled.
   * @returns What the validator returns. Ajv returns `true` or `false`, and sets `errors` on the validator.
   * @throws {FST_ERR_REQ_INVALID_VALIDATION_INVOCATION} if there is neither a schema nor a validator for the part.
   */
  validateInput(
    input: unknown,
    schemaOrPart: object | HttpPart | 'query',
    httpPart?: HttpPart,
  ): ReturnType<ValidatorFunction>;
  /**
   * Reads a decorator; a function is bound to this request.
   * @param name Its name.
   * @throws {FST_ERR_DEC_UNDECLARED} if there is none.
   */
  getDecorator<T = unknown>(name: string | symbol): T;
  /**
   * Sets a decorator, for this request alone.
   * @param name Its name.
   * @param value The value.
   * @throws {FST_ERR_DEC_UNDECLARED} as above.
   */
  setDecorator<T = unknown>(name: string | symbol, value: T): void;
}

/** A request. If you add decorators to it, augment this interface to type them, or declare them in a chain. */
export interface Request<Route extends RouteTypes = RouteTypes, Types extends ContextTypes = ContextTypes>
  extends RequestParts {
  /** The parsed body, from `preValidation` on; after validation, coerced and with defaults. `undefined` without a body. */
  body: Route['Body'];
  /** The parsed query string: untrusted input until it is validated. */
  query: Route['Querystring'];
  /** The values of the route's parameters, percent-decoded: untrusted input until they are validated. */
  params: Route['Params'];
  /** The headers, names in lower case. Assigning an object adds its headers, or overrides received ones. It removes none. */
  headers: HeadersOf<PartOf<Route, 'Headers', unknown>>;
  /** The context of the route. */
  readonly server: ContextOf<Types>;
  /** The options of the route, with their defaults filled in. */
  readonly routeOptions: RouteInfo;
}

/** A request in a context: with the context's decorators, and without types of a route. */
export type RequestOf<Types extends ContextTypes = ContextTypes> = Request<RouteTypes, Types> &
  Types['request'];

/** The request of a route's handler. The types of its parts come from the schema, or from the type argument. */
export type TypedRequest<Source extends RouteSource, Schema, Types extends ContextTypes> = Request<
  Source extends string ? InferredRoute<Source, Schema, Types['schemas']> : Extract<Source, RouteTypes>,
  Types
> &
  Types['request'];

/** A stream of body bytes. A hook that decompresses sets `receivedEncodedLength` to the number of bytes before decoding. */
export type BodyStream = Readable & { receivedEncodedLength?: number };

/** What to do about a dangerous key in a JSON body: answer 400 (`error`), leave the key out (`remove`), or keep it (`ignore`). */
export type PoisoningAction = 'error' | 'remove' | 'ignore';

/** Why JSON with such a key is refused: the end of a message that begins with what has the key, the body or a field of a form. */
export const poisonProblem =
  "must not contain the key '__proto__', nor 'constructor' with 'prototype' in it: they can change the prototype of objects";

/** Parses a body that it reads as a stream. It must limit the size itself. */
export type StreamParser = (
  this: Context,
  request: RequestOf,
  payload: BodyStream,
  done: PayloadDone,
) => Settled;

/** Parses a body that was collected as text or as bytes. */
export type CollectedParser<Body extends string | Buffer> = (
  this: Context,
  request: RequestOf,
  body: Body,
  done: PayloadDone,
) => Settled;
