/** The plan: one compiled route, with everything that a request needs. */
import type { MediaType } from '../shared/media-type.ts';
import type {
  HttpPart,
  SchemaErrorFormatter,
  SerializerCompiler,
  SerializerFunction,
  ValidatorCompiler,
  ValidatorFunction,
} from './compiler.ts';
import type { Context } from './context.ts';
import type { Exchange, Params, RequestId } from './exchange.ts';
import type { ItemFormats, StreamSettings } from './item-format.ts';
import type { LogWriter } from './log-writer.ts';
import type { Logger } from './logger.ts';
import type { Admission } from './overload.ts';
import type { ErrorFormat } from './problem.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';
import type { RouteInfo } from './route-info.ts';
import type { ServerState } from './server-state.ts';
import type { PlanSteps } from './step.ts';

/** A body parser, as the plan looks it up. */
export interface BodyParser {
  readonly collectAs: 'string' | 'buffer' | undefined;
  /** Largest body in bytes, if the route sets no limit. */
  readonly limitBytes: number;
  readonly parse: (
    request: Request,
    body: never,
    done: (error?: Error | null, body?: unknown) => void,
  ) => PromiseLike<unknown> | unknown;
  /** Parses synchronously, or throws. Only the framework's own parsers have it. */
  readonly read: ((text: string) => unknown) | undefined;
}

/** The serializers of a route's response schemas (specification 6.2). */
export interface ResponseSerializers {
  /** The serializer for a status and a Content-Type, which is JSON by default; `undefined` if no schema applies. */
  pick(status: number, contentType: string | undefined): SerializerFunction | undefined;
  /** The serializer for exactly this key. */
  get(key: string | number, mediaType?: string): SerializerFunction | undefined;
}

/** The validators of a route, one for each part. A body may have one for each media type. */
export interface PartValidators {
  /** The parts that have a schema, in the order in which they are validated. */
  readonly parts: readonly HttpPart[];
  readonly params: ValidatorFunction | undefined;
  readonly body: ValidatorFunction | undefined;
  readonly bodyByType: ReadonlyMap<string, ValidatorFunction> | undefined;
  readonly querystring: ValidatorFunction | undefined;
  readonly headers: ValidatorFunction | undefined;
}

/** A compiled route, frozen: everything that a request needs. */
export interface Plan {
  readonly context: Context;
  readonly info: RouteInfo;
  readonly isNotFound: boolean;
  /** Called with the context as `this`. It is not bound, because JavaScriptCore does not inline bound functions. */
  readonly handler: (this: Context, request: Request, reply: Reply) => unknown;
  readonly Request: new (
    exchange: Exchange,
    id: RequestId,
    params: Params | undefined,
    query: unknown,
    log: Logger,
  ) => Request;
  readonly Reply: new (exchange: Exchange, request: Request, log: Logger) => Reply;

  /** The steps of its requests, in order. */
  readonly steps: PlanSteps;

  /** Finds the parser for a canonical media type; `undefined` if no parser accepts it. */
  readonly findParser: (mediaType: MediaType) => BodyParser | undefined;
  /** Methods whose body is read. */
  readonly bodyMethods: ReadonlySet<string>;
  /** Largest body in bytes; `undefined` leaves it to the parser. */
  readonly bodyLimitBytes: number | undefined;
  /** The media types that the body schema covers; `undefined` if every parsed body is accepted. */
  readonly acceptedTypes: readonly string[] | undefined;
  readonly validators: PartValidators | undefined;
  readonly attachValidation: boolean;
  readonly formatProblems: SchemaErrorFormatter;
  /** The name of each part in `error.validationContext`. */
  readonly partNames: Readonly<Record<HttpPart, string>>;
  readonly compileValidator: ValidatorCompiler;

  readonly serializers: ResponseSerializers | undefined;
  /** The formats in which async iterables are sent; `undefined` if no response of the route has an item schema. */
  readonly items: ItemFormats | undefined;
  readonly streamSettings: StreamSettings | undefined;
  readonly replySerializer: ((payload: never, status: number) => string) | undefined;
  readonly compileSerializer: SerializerCompiler;
  /**
   * Called with a response that the response schemas do not declare: it warns, or throws to refuse the response. `undefined` if the route
   * has no response schema, or if nobody wants to know.
   */
  readonly onUndeclared: ((x: Exchange, route: string, response: string) => void) | undefined;

  /** How the framework's own error replies are written. */
  readonly errorFormat: ErrorFormat;

  /** The plan that `callNotFound` runs; `undefined` in the plan of a not-found handler. */
  readonly notFound: Plan | undefined;
  readonly handlerTimeoutMs: number;
  /** The overload protection that counts the requests; `undefined` without one. */
  readonly admission: Admission<Exchange> | undefined;
  /** Whether the end of the response must be observed. */
  readonly tracksCompletion: boolean;
  readonly makeRequestId: (x: Exchange) => RequestId;
  /** Creates the logger of one request; `undefined` if nothing is logged. */
  readonly makeLogger: ((x: Exchange, id: string) => Logger) | undefined;
  readonly log: Logger;
  readonly logWriter: LogWriter;
  /** Whether incoming requests are logged. */
  readonly logsIncoming: boolean;
  /** Whether its requests are served while the application closes. */
  readonly servesWhileClosing: boolean;
  /** State of the whole application that requests read. */
  readonly server: ServerState;
}
