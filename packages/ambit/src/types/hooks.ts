/** Hooks, handlers and error handlers. */

import type { ValidationProblem } from './compilers.ts';
import type { Context, ContextOf } from './context.ts';
import type { ContextTypes, Inherited, Needed } from './context-types.ts';
import type { ResultKind, ResultOf } from './handler-result.ts';
import type { RegisterOptions } from './plugins.ts';
import type { Reply, ReplyOf, TypedReply } from './reply.ts';
import type { BodyStream, Request, RequestOf, TypedRequest } from './request.ts';
import type { RegisteredRoute } from './route-info.ts';
import type { Empty, ResponsesOf, RouteSchemaShape, RouteSource, RouteTypes } from './route-types.ts';

/** Ends a hook or a plugin that is written in callback style. With an error, the steps after it do not run. */
export type Done = (error?: Error | null) => void;
/** Ends a payload hook in callback style. A payload that is not `undefined` replaces the previous one. */
export type PayloadDone<Payload = unknown> = (error?: Error | null, payload?: Payload) => void;

/** What a function in callback style or in promise style may return. */
export type Settled<T = unknown> = PromiseLike<T> | void;

/** What hooks of requests have in common. */
type RequestFunction<Types extends ContextTypes, Others extends unknown[], Result = Settled> = (
  this: ContextOf<Types>,
  request: RequestOf<Types>,
  reply: ReplyOf<Types>,
  ...others: Others
) => Result;

/** A hook of a phase before the handler (`onRequest`, `preValidation`, `preHandler`), or of `onResponse` or `onTimeout`. */
export type RequestHook<Types extends ContextTypes = ContextTypes> = RequestFunction<Types, [done: Done]>;

/** A `preParsing` hook: it may return another stream to read the body from, or pass one to `done`. */
export type PreParsingHook<Types extends ContextTypes = ContextTypes> = RequestFunction<
  Types,
  [payload: BodyStream, done: PayloadDone<BodyStream>],
  Settled<BodyStream | void>
>;

/** A `preSerialization` or `onSend` hook: it sees the payload before it is sent, and may replace it. */
export type PayloadHook<Types extends ContextTypes = ContextTypes> = RequestFunction<
  Types,
  [payload: unknown, done: PayloadDone]
>;

/** An `onError` hook: it sees an error before the error handlers do. It must not send a reply. */
export type ErrorHook<Types extends ContextTypes = ContextTypes> = RequestFunction<
  Types,
  [error: Error & { statusCode?: number; code?: string }, done: () => void]
>;

/** An `onRequestAbort` hook: it runs when the client closed the connection before the reply was complete. */
export type AbortHook<Types extends ContextTypes = ContextTypes> = (
  this: ContextOf<Types>,
  request: RequestOf<Types>,
  done: Done,
) => Settled;

/** The hooks of a request, by name. */
export interface RequestHooks<Types extends ContextTypes = ContextTypes> {
  /** Runs first, before the body is read. */
  onRequest: RequestHook<Types>;
  /** Runs before the body is parsed, and may replace the stream that it is read from. */
  preParsing: PreParsingHook<Types>;
  /** Runs after the body was parsed and before the request is validated. */
  preValidation: RequestHook<Types>;
  /** Runs after validation, just before the handler. */
  preHandler: RequestHook<Types>;
  /** Runs before a payload is serialized. Payloads that are not serialized (strings, buffers, streams, `null`) skip it. */
  preSerialization: PayloadHook<Types>;
  /** Runs before the response is written. */
  onSend: PayloadHook<Types>;
  /** Runs after the response was sent. */
  onResponse: RequestHook<Types>;
  /** Runs when a request fails, before its error handler. */
  onError: ErrorHook<Types>;
  /** Runs when the socket times out (`connectionTimeout`) while the request is handled. */
  onTimeout: RequestHook<Types>;
  /** Runs when the client closed the connection before the reply was complete. */
  onRequestAbort: AbortHook<Types>;
}

/** The hooks of a context and of the application, by name. */
export interface ContextHooks<Types extends ContextTypes = ContextTypes> {
  /** Runs for each route that is declared. It may change the route's options. */
  onRoute: (this: ContextOf<Types>, route: RegisteredRoute) => void;
  /** Runs for each child context that a plugin opens, before the plugin runs. */
  onRegister: (
    this: ContextOf<Types>,
    child: ContextOf<Inherited<Types>>,
    options: RegisterOptions & Record<string, unknown>,
  ) => void;
  /** Runs at the end of boot, when all plugins have loaded. An error fails boot. */
  onReady: (this: ContextOf<Types>, done: Done) => Settled;
  /** Runs when the server listens. An error is logged. */
  onListen: (this: ContextOf<Types>, done: Done) => Settled;
  /** Runs when `close` is called, while running requests are still served. */
  preClose: (this: ContextOf<Types>, done: Done) => Settled;
  /** Runs when the server has closed, for example to close a database connection. */
  onClose: (this: ContextOf<Types>, context: ContextOf<Types>, done: Done) => Settled;
}

/** All hooks that `addHook` takes, by name. */
export type Hooks<Types extends ContextTypes = ContextTypes> = RequestHooks<Types> & ContextHooks<Types>;
/** The name of a hook that `addHook` takes. */
export type HookName = keyof Hooks;
/** The name of a hook that a route may have, too. */
export type RequestHookName = keyof RequestHooks;

/** Answers a request: it calls `reply.send`, returns the payload, or returns a promise of the payload. */
export type Handler<Route extends RouteTypes = RouteTypes> = (
  this: Context,
  request: Request<Route>,
  reply: Reply<Route>,
) => unknown;

/** The handler of a route whose types are inferred from its schema, or given as a type argument. */
export type TypedHandler<Source extends RouteSource, Schema, Types extends ContextTypes> = (
  this: ContextOf<Types>,
  request: TypedRequest<Source, Schema, Types>,
  reply: TypedReply<ResponsesOf<Source, Schema>, Types>,
) => ResultOf<Source, Schema, Types['schemas']>[ResultKind<Schema>];

/**
 * The type of a route's handler in a file of its own: `RouteHandler<typeof schema>`. The schema must be written `as const`.
 *
 * `In` is the context that the route is declared in (`typeof app`), or what the handler needs of it, as `plugin` takes it:
 * `{ request: { user: User } }`, `Provides<typeof store>`. `Path` gives the parameters that the schema does not have.
 */
export type RouteHandler<
  Schema extends RouteSchemaShape = Empty,
  In = Context,
  Path extends string = string,
> = TypedHandler<Path, Schema, TypesFor<In>>;

/** The types of a context, or of the parts of it that a handler needs. */
type TypesFor<In> = '~types' extends keyof In
  ? In extends { readonly '~types'?: infer Types extends ContextTypes }
    ? Inherited<Types>
    : ContextTypes
  : Needed<In & Partial<ContextTypes>>;

/** An error as error handlers and the log get it: with the members that the framework sets. */
export type HandledError = Error & {
  /** The status of the response, if the error names one. */
  statusCode?: number;
  /** The permanent code of an error of the framework: `FST_ERR_VALIDATION`. */
  code?: string;
  /** What is wrong with the request. If a validator of your own returned an Error, that error. */
  validation?: ValidationProblem[];
  /** The part of the request that failed validation: `body`, `params`, `query` or `headers`. */
  validationContext?: string;
};

/** Answers a failed request. If it throws or sends an error, the error handler of the context around it is called. */
export type ErrorHandler<Types extends ContextTypes = ContextTypes> = (
  this: ContextOf<Types>,
  error: HandledError,
  request: RequestOf<Types>,
  reply: ReplyOf<Types>,
) => unknown;
