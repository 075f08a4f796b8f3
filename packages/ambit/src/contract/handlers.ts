/** The types of the functions that answer requests: the handlers of routes, and error handlers. */
import type { ValidationProblem } from './compiler.ts';
import type { Context, ContextOf } from './context.ts';
import type { ContextTypes, Inherited, Needed } from './context-types.ts';
import type { ResultKind, ResultOf } from './handler-result.ts';
import type { Reply, ReplyOf, TypedReply } from './reply.ts';
import type { Request, RequestOf, TypedRequest } from './request.ts';
import type { Empty, ResponsesOf, RouteSchemaShape, RouteSource, RouteTypes } from './route-types.ts';

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
