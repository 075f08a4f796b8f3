/** What boot compiles and a request reads: its plan, the steps of it, the formats of item streams, and the state of the server. */
import type { MediaType } from '../shared/media-type.ts';
import type {
  HttpPart,
  SchemaErrorFormatter,
  SerializerCompiler,
  SerializerFunction,
  ValidatorCompiler,
  ValidatorFunction,
} from './compilers.ts';
import type { Context } from './context.ts';
import type { Exchange, Params, RequestId } from './exchange.ts';
import type { Admission } from './feature-options.ts';
import type { ErrorTranslator } from './flavor.ts';
import type { RequestHookName } from './hooks.ts';
import type { Origin, RequestWatcher } from './inspection.ts';
import type { LogWriter } from './log-controller.ts';
import type { Logger } from './logger.ts';
import type { ErrorFormat } from './problems.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';
import type { RouteInfo } from './route-info.ts';

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
export interface PartValidators extends Readonly<Record<HttpPart, ValidatorFunction | undefined>> {
  /** The parts that have a schema, in the order in which they are validated. */
  readonly parts: readonly HttpPart[];
  readonly bodyByType: ReadonlyMap<string, ValidatorFunction> | undefined;
}

/** What the plans of a context share. A route may replace its parsers, compilers and formatter. */
export interface ContextFields {
  readonly context: Context;
  readonly Request: new (
    exchange: Exchange,
    id: RequestId,
    params: Params | undefined,
    query: unknown,
    log: Logger,
  ) => Request;
  readonly Reply: new (exchange: Exchange, request: Request, log: Logger) => Reply;
  /** The parsers of bodies: `match` returns `undefined` if none accepts the media type. */
  readonly parsers: { match(mediaType: MediaType): BodyParser | undefined };
  /** The HTTP methods that it supports, and whether the body of their requests is read. */
  readonly methods: ReadonlyMap<string, boolean>;
  readonly formatProblems: SchemaErrorFormatter;
  /** The name of each part in `error.validationContext`. */
  readonly partNames: Readonly<Record<HttpPart, string>>;
  readonly compileValidator: ValidatorCompiler;
  readonly compileSerializer: SerializerCompiler;
  readonly replySerializer: ((payload: never, status: number) => string) | undefined;
  readonly errorFormat: ErrorFormat;
  readonly makeRequestId: (x: Exchange) => RequestId;
  readonly log: Logger;
  readonly logWriter: LogWriter;
  readonly logsIncoming: boolean;
  readonly servesWhileClosing: boolean;
  readonly server: ServerState;
}

/** A compiled route, frozen: everything that a request needs. */
export interface Plan extends ContextFields {
  readonly info: RouteInfo;
  readonly isNotFound: boolean;
  /** Called with the context as `this`. It is not bound, because JavaScriptCore does not inline bound functions. */
  readonly handler: (this: Context, request: Request, reply: Reply) => unknown;
  readonly steps: PlanSteps;
  /** Largest body in bytes; `undefined` leaves it to the parser. */
  readonly bodyLimitBytes: number | undefined;
  /** The media types that the body schema covers; `undefined` if every parsed body is accepted. */
  readonly acceptedTypes: readonly string[] | undefined;
  /** Reads the forms of the route, unless one of `parsers` accepts them. */
  readonly formParser: BodyParser | undefined;
  readonly validators: PartValidators | undefined;
  readonly attachValidation: boolean;
  readonly serializers: ResponseSerializers | undefined;
  /** The formats in which async iterables are sent; `undefined` if no response of the route has an item schema. */
  readonly items: ItemFormats | undefined;
  readonly streamSettings: StreamSettings | undefined;
  /** Called with a response that the response schemas do not declare: warns, or throws to refuse it. `undefined` if nobody asked. */
  readonly onUndeclared: ((x: Exchange, route: string, response: string) => void) | undefined;
  /** The plan that `callNotFound` runs; `undefined` in the plan of a not-found handler. */
  readonly notFound: Plan | undefined;
  readonly handlerTimeoutMs: number;
  /** The overload protection that counts the requests; `undefined` without one. */
  readonly admission: Admission<Exchange> | undefined;
  /** Whether the end of the response must be observed. */
  readonly tracksCompletion: boolean;
  /** Creates the logger of one request; `undefined` if nothing is logged. */
  readonly makeLogger: ((x: Exchange, id: string) => Logger) | undefined;
}

/** The name of a step: of a kind of hook, of error handlers, or of the framework's own work. */
export type StepName =
  | Exclude<RequestHookName, ObserverName>
  | ('admit' | 'pauseAdmission' | 'readBody' | 'resumeAdmission' | 'validate' | 'handler' | 'errorHandler')
  | ('serialize' | 'endAdmission' | 'write' | 'defaultErrorReply' | 'lastErrorReply');

/** The hooks that observe a request: the response has ended, the socket has timed out, the client has left. */
export type ObserverName = 'onResponse' | 'onTimeout' | 'onRequestAbort';

/** A function of the application that a step calls, prepared at boot. */
export interface AppFunction {
  readonly declared: (...args: never[]) => unknown;
  /** The context that declared it, or that declared its route. */
  readonly context: Context;
  /** Whether it was declared with the route, and not added to a context. */
  readonly belongsToRoute: boolean;
  /** Who declared it; `undefined` for functions of a route, and of the framework. */
  readonly origin: Origin | undefined;
  /** The context of the route: `this` in the function, which is not bound for the same reason as `Plan.handler`. */
  readonly self: Context;
  /** Whether it is an `async` function: then only its promise says that it has ended. */
  readonly isAsync: boolean;
}

/** Runs a step. Returns true if the next one may run at once; false if this was the last, waits, or has itself continued. */
export type RunStep = (x: Exchange, step: Step) => boolean;

/** One step of a path. */
export interface Step {
  readonly name: StepName;
  readonly run: RunStep;
  /** `undefined` if the step is the framework's own work. */
  readonly app: AppFunction | undefined;
}

/** A hook that observes a request: it runs in addition to the steps, and does not change the response. */
export interface Observer {
  readonly name: ObserverName;
  /** Calls the hook with the arguments of its kind. */
  readonly call: (x: Exchange, app: AppFunction, done: (error?: unknown) => void) => unknown;
  readonly app: AppFunction;
}

/** The steps of one plan. Each path is a flat list of only the steps that the route needs; `runtime/lifecycle.ts` has all of them. */
export interface PlanSteps {
  /** Runs after routing, and ends with the handler. */
  readonly request: readonly Step[];
  /** Runs for a payload, and ends with writing it to the wire. */
  readonly reply: readonly Step[];
  /** The index in `reply` for text with a serializer of its own, which `preSerialization` hooks do not see. */
  readonly serializeAt: number;
  /** The index in `reply` for a payload that is already text, bytes or a stream. */
  readonly deliverAt: number;
  /** Runs for an error, and ends with an error reply. */
  readonly failure: readonly Step[];
  /** The index in `failure` of the framework's own error reply, which follows the error handlers. */
  readonly defaultReplyAt: number;
  /** The index in `failure` of the last error reply, which is used when the framework's own error reply fails as well. */
  readonly lastReplyAt: number;
  /** These hooks run one after the other when the response has ended. */
  readonly onResponse: readonly Observer[];
  /** These hooks run when the socket has timed out. */
  readonly onTimeout: readonly Observer[];
  /** These hooks run when the client left before its response ended. */
  readonly onRequestAbort: readonly Observer[];
}

/** The media types whose content is a sequence of items. `runtime/item-framing.ts` has the framing of each. */
export const itemMediaTypes = [
  'text/event-stream',
  'application/jsonl',
  'application/x-ndjson',
  'application/json-seq',
  'application/json',
] as const;

export type ItemMediaType = (typeof itemMediaTypes)[number];

/** One media type of a response that streams. */
export interface ItemFormat {
  readonly mediaType: ItemMediaType;
  /** Serializes one item with the item schema. */
  readonly serialize: SerializerFunction;
}

/** The item schemas of a route, compiled, by status and media type. */
export interface ItemFormats {
  /** The format for a status and the Content-Type that the handler has set; without one, the first that the route declares. */
  pick(status: number, contentType: string | undefined): ItemFormat | undefined;
}

/** The option `stream` of a route, with its defaults filled in. */
export interface StreamSettings {
  readonly heartbeatMs: number | false;
  readonly closeMs: number;
}

/** Watches requests that wait for a handler to reply, or for a hook to call `done`. */
export interface UnansweredMonitor {
  /**
   * @param responseEpoch The epoch when the handler or the hook began.
   * @param isPending Whether it returned a promise.
   */
  add(x: Exchange, responseEpoch: number, isPending?: boolean): void;
}

/** The state of the running server. */
export interface ServerState {
  /** `drain` or `close` was called: clients should send no new requests. Requests may still be served. */
  isStopping: boolean;
  /** Each connection ends with its next response. */
  isClosing: boolean;
  /** Requests are still served while connections end, also while the application then closes. */
  isDraining: boolean;
  /** Reports requests that hang; `undefined` in production. */
  readonly unanswered: UnansweredMonitor | undefined;
  /** Reports requests whose error handler does not reply, in production, too: nobody else would see them. */
  readonly unansweredErrors: UnansweredMonitor;
  /** Whether the connection of a request stays open while others end with their next response; `undefined` if all of them end. */
  mayStayOpen: ((x: Exchange) => boolean) | undefined;
  /** Whether `NODE_ENV` is `production`: clients then get no messages of server errors. */
  readonly isProduction: boolean;
  /** Whether clients on this machine get more than in production. Not in tests, which are to see what is sent in production. */
  readonly isDevelopment: boolean;
  /** Whether default error replies in JSON are those of Fastify: with every message, and with thrown values that are no errors. */
  readonly sendsErrorsAsFastify: boolean;
  readonly hasLogger: boolean;
  /** Whether an error that a client did not get to read was reported on stderr, because there is no logger. */
  hasWarnedOfHiddenError: boolean;
  /** Gives errors of the catalogue the name and the message that they have in this application's flavor. */
  readonly translateError: ErrorTranslator;
  /** The streams of items that are being sent; `undefined` before the first one. */
  streams: { close(): void } | undefined;
  readonly return503OnClosing: boolean;
  /** Derives `ip`, `host` and `protocol` behind trusted proxies; `undefined` when none is trusted. */
  readonly isTrustedProxy: ((address: string, hop: number) => boolean) | undefined;
  /** Tools that watch each step of each request. Boot reads the list when it compiles plans. */
  readonly watchers: RequestWatcher[];
  readonly hasVersionConstraint: () => boolean;
  /** Returns the path of a URL as the router compares it. */
  readonly canonicalPath: (url: string) => string;
}
