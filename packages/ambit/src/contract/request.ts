/** The request as handlers, hooks and plugins see it, short of what ties it to a context. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpPart, ValidationProblem, ValidatorFunction } from './compiler.ts';
import type { Logger } from './logger.ts';

/** The types of one route, bundled: what each part of its request holds, and what it replies. */
export interface RouteTypes {
  Body?: unknown;
  Querystring?: unknown;
  Params?: unknown;
  Headers?: unknown;
  Reply?: unknown;
}

/** The type that a route gives to one part, or the fallback where it gives none. */
export type PartOf<Route, Part extends keyof RouteTypes, Fallback> = Route extends { [P in Part]: infer Type }
  ? Type
  : Fallback;

/** Headers that a schema or a type argument names have those types; all others are text, as node delivers them. */
export type HeadersOf<Named> = unknown extends Named
  ? IncomingHttpHeaders
  : Named & Omit<KnownHeaders, keyof Named> & NodeJS.Dict<string | string[]>;
type KnownHeaders = {
  [Name in keyof IncomingHttpHeaders as string extends Name ? never : Name]: IncomingHttpHeaders[Name];
};

/** What the framework sets on an error, and on a failed validation. */
export type HandledError = Error & {
  statusCode?: number;
  code?: string;
  /** The problems; where a validator of your own answered with an Error, that error. */
  validation?: ValidationProblem[];
  /** The part that was refused: `body`, `params`, `query` or `headers`. */
  validationContext?: string;
};

/** Everything of a request that depends neither on its route nor on the context it is handled in. */
export interface RequestParts {
  /** Unique within the process; see the options `genReqId` and `requestIdHeader`. */
  id: string;
  /** The logger of this request. */
  log: Logger;
  /** Set when `attachValidation` is true and validation failed (specification 5.5). */
  validationError?: HandledError;
  /** Node's own request object; another one, or a Proxy around it, may be put in its place. */
  raw: IncomingMessage;
  readonly method: string;
  /** Path and query string, as routed. */
  readonly url: string;
  /** Path and query string as received, before `rewriteUrl`. */
  readonly originalUrl: string;
  /** The media type of the body, canonical: `application/json`. `undefined` without a valid Content-Type. */
  readonly mediaType: string | undefined;
  /** Address of the peer; of the client, behind a proxy that `trustProxy` isTrustedProxy. */
  readonly ip: string | undefined;
  /** The addresses from the peer to the client, under `trustProxy`. */
  readonly ips: string[] | undefined;
  /** Host and port that the client asked for; empty when it named none. */
  readonly host: string;
  /** `host` without the port. */
  readonly hostname: string;
  /** The port in `host`, or `null`. */
  readonly port: number | null;
  readonly protocol: 'http' | 'https' | undefined;
  readonly socket: Socket;
  /** Aborts when the client goes away or `handlerTimeout` passes. */
  readonly signal: AbortSignal;
  /** True while a not-found handler runs. */
  readonly is404: boolean;
  /** The compiled validator of a part of this route, or of a schema compiled before. */
  getValidationFunction(partOrSchema: HttpPart | 'query' | object): ValidatorFunction | undefined;
  /** Compiles a schema with the validator compiler of this route; once per schema. */
  compileValidationSchema(schema: object, httpPart?: HttpPart | null): ValidatorFunction;
  /**
   * Validates any value with a part's schema or with another schema.
   *
   * @throws {ValidationInvocationInvalid} when there is neither a schema nor a validator for the part.
   */
  validateInput(
    input: unknown,
    schemaOrPart: object | HttpPart | 'query',
    httpPart?: HttpPart,
  ): ReturnType<ValidatorFunction>;
  /** The value of a request decorator; functions come bound to this request. */
  getDecorator<T = unknown>(name: string | symbol): T;
  setDecorator<T = unknown>(name: string | symbol, value: T): void;
}
