/** The options of the factory, and of the router behind it. */
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { SecureServerOptions } from 'node:http2';
import type { ServerOptions as HttpsServerOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { SchemaErrorFormatter } from './compiler.ts';
import type {
  AjvOptions,
  CompileTime,
  SchemaControllerOptions,
  SerializerOptions,
} from './compiler-options.ts';
import type { Context } from './context.ts';
import type { ErrorHandler } from './handlers.ts';
import type { HealthOptions } from './health.ts';
import type { LogController } from './log-controller.ts';
import type { ChildLoggerFactory, Logger } from './logger.ts';
import type { LoggerOptions } from './logger-options.ts';
import type { MultipartOptions } from './multipart.ts';
import type { OverloadOptions } from './overload.ts';
import type { PoisoningAction } from './parsers.ts';
import type { ErrorFormat } from './problem.ts';
import type { Request } from './request.ts';
import type { AllowedResponses } from './response-types.ts';
import type { ConstraintStrategy } from './route-constraints.ts';

/** Options of the router. */
export interface RouterOptions {
  /** Whether routes may use regular expressions that an attacker can make run for very long. Default `false`. */
  allowUnsafeRegex?: boolean;
  /** Whether the case of a path matters. `false` matches any case, and keeps parameters as they came. Default `true`. */
  caseSensitive?: boolean;
  /** Whether to generate code for the routing trees at boot. Default `false`. */
  compile?: boolean;
  /** Constraint strategies by name. */
  constraints?: Record<string, ConstraintStrategy>;
  /** Whether `//a` is `/a`. Default `false`. */
  ignoreDuplicateSlashes?: boolean;
  /** Whether `/a/` is `/a`. Default `false`. */
  ignoreTrailingSlash?: boolean;
  /** Longest value of a parameter in characters; a longer one is answered with 414. Default 100. */
  maxParamLength?: number;
  /** Parses the query string. Default: fast-querystring. */
  querystringParser?: (text: string) => unknown;
  /** Whether `;` begins the query string, too. Default `false`. */
  useSemicolonDelimiter?: boolean;
  /** Returns what `printRoutes` shows for a route, in addition to method and URL. */
  buildPrettyMeta?: (route: { store: unknown }) => Record<string | symbol, unknown>;
  /** Takes node's objects of requests that no route matches, instead of the not-found handler. */
  defaultRoute?: (request: IncomingMessage, response: ServerResponse) => void;
  /** Answers a URL that cannot be decoded. Default: 400. */
  onBadUrl?: (path: string, request: IncomingMessage, response: ServerResponse) => void;
  /** Answers a parameter that is too long. Default: 414. */
  onMaxParamLength?: (path: string, request: IncomingMessage, response: ServerResponse) => void;
}

/**
 * The options of `ambit()`. Times are in milliseconds, sizes in bytes. The options of the router are accepted here, too, as in earlier
 * versions of Fastify.
 */
export interface AmbitOptions extends Omit<RouterOptions, 'compile'> {
  /** Options of node's HTTP server. */
  http?: ServerOptions | null;
  /** Serves TLS, with the options of node's HTTPS server, or with `true` for none. */
  https?: (HttpsServerOptions & SecureServerOptions) | boolean | null;
  /** Whether to serve HTTP/2: over TLS if `https` is set, otherwise in clear text. Default `false`. */
  http2?: boolean;
  /**
   * What serves HTTP/1.1. `node`: only `node:http`. Default: our HTTP engine, which passes requests that it does not support to
   * `node:http`. HTTP/2, a `serverFactory` and `maxRequestsPerSocket` always use node's server. On Bun and Deno, the default is the server
   * of the runtime.
   */
  engine?: 'node';
  /** Creates the server. Options for node's own servers are then ignored. */
  serverFactory?: (
    handler: (request: IncomingMessage, response: ServerResponse) => void,
    options: AmbitOptions,
  ) => Server;
  /** Longest time without any data on a socket. Default 0: no limit. */
  connectionTimeout?: number;
  /** Longest time that a connection stays open without a request. Default 72,000. */
  keepAliveTimeout?: number;
  /** Longest time to receive the headers of a request. Default 60,000; 0 is no limit. */
  headersTimeout?: number;
  /** Longest time to receive a whole request. Default 300,000; 0 is no limit. */
  requestTimeout?: number;
  /** Longest time from routing to the reply: a later reply is answered with 503. Default 0: no limit. */
  handlerTimeout?: number;
  /** Number of requests that a connection may carry. Default 0: no limit. */
  maxRequestsPerSocket?: number | null;
  /** Longest idle time of an HTTP/2 session. Default 72,000. */
  http2SessionTimeout?: number;
  /** Which connections `close` destroys: `true` all, `idle` those without a request, `false` none. Default `idle`. */
  forceCloseConnections?: boolean | 'idle';
  /** Whether requests that arrive while the application closes are answered with 503. Default `true`. */
  return503OnClosing?: boolean;
  /**
   * Adds the routes for probes, for example those of Kubernetes: `true` for `/livez` and `/readyz`, or their paths. Default: no routes.
   */
  health?: HealthOptions | boolean | null;
  /**
   * Limits how many requests run at the same time. The limit depends on how long they take; further requests are answered with 503. `true`
   * for every default. A context changes it with `setOverload`. Default `false`: no limit.
   */
  overload?: OverloadOptions | boolean | null;
  /** The largest body: an integer > 0. A larger one is answered with 413. Default 1,048,576 (1 MiB). */
  bodyLimit?: number;
  /** The limits of `multipart/form-data` bodies that the framework reads, and where it keeps their files. */
  multipart?: MultipartOptions;
  /** What to do about a key `__proto__` in a JSON body: `error` (answer 400), `remove` or `ignore`. Default `error`. */
  onProtoPoisoning?: PoisoningAction;
  /**
   * What to do about a key `constructor` with a `prototype` in a JSON body: `error` (answer 400), `remove` or `ignore`. Default `error`.
   */
  onConstructorPoisoning?: PoisoningAction;
  /** Creates a logger: `true`, or options of pino. Default `false`: nothing is logged. */
  logger?: boolean | LoggerOptions | null;
  /** A logger of your own: pino, or anything with its methods. It must not be combined with `logger`. */
  loggerInstance?: Logger | null;
  /** Writes the lines that the framework logs. Default: a `LogController`. */
  logController?: LogController;
  /** @deprecated Use the option of `LogController`. Whether no line is logged for each request. Default `false`. */
  disableRequestLogging?: boolean | ((request: Request) => boolean);
  /** @deprecated Use the option of `LogController`. The field that request ids are logged in. Default `reqId`. */
  requestIdLogLabel?: string;
  /**
   * Whether log lines of a request have the fields `traceparent` and `trace_id`, from its header `traceparent` (W3C Trace Context). A
   * header that is invalid is left out. Default `false`.
   */
  logTraceContext?: boolean;
  /** Creates the logger of each request. Default: it calls `child` of the application's logger. */
  childLoggerFactory?: ChildLoggerFactory<Context>;
  /** The header that request ids are taken from; `true` is `request-id`. Default `false`: none. */
  requestIdHeader?: string | boolean;
  /** Creates the id of a request, from node's request object. Default: a counter (`req-1`). */
  genReqId?: (rawRequest: IncomingMessage) => string;
  /**
   * Which proxies' forwarding headers are used: `true` for all, addresses or ranges, or a function. A number trusts none. Default `false`.
   */
  trustProxy?: boolean | string | string[] | number | ((address: string, hop: number) => boolean);
  /** Longest time that a plugin or a boot hook may take; 0 is no limit. Default 10,000. */
  pluginTimeout?: number;
  /** Whether GET routes answer HEAD, too. Default `true`. */
  exposeHeadRoutes?: boolean;
  /** Options of the default validator compiler, Ajv 8. Default: those of specification 5.6. */
  ajv?: AjvOptions;
  /** Options of the default serializer compiler. */
  serializerOpts?: SerializerOptions;
  /**
   * Whether to log the changes that serialization makes: properties that are dropped, values that are coerced, defaults for missing values.
   * Each payload is then traversed twice. Default: whether the environment variable `NODE_ENV` is `development`.
   */
  reportSerialization?: boolean;
  /** Replaces the store of shared schemas, and how compilers are created. */
  schemaController?: SchemaControllerOptions;
  /** Creates the error of an invalid request. `this` is the context of the route. */
  schemaErrorFormatter?: SchemaErrorFormatter<Context>;
  /**
   * The format of the reply to an error that no error handler answers: `json`, or `problem` for problem details (RFC 9457). A context
   * changes it with `setErrorFormat`. Default `json`.
   */
  errors?: ErrorFormat;
  /**
   * Which responses a route with a response schema may send. `declared`: a reply whose status or media type its schemas do not declare fails
   * with 500, because all its properties would be sent. A context changes it with `setResponses`. Default `any`.
   */
  responses?: AllowedResponses;
  /** Answers requests that fail before a route is found: invalid URLs, parameters that are too long, constraints that fail. */
  frameworkErrors?: ErrorHandler | null;
  /** Answers input that node cannot parse as a request. Default: it answers 400, 408 or 431. */
  clientErrorHandler?: (this: Context, error: Error & { code?: string }, socket: Socket) => void;
  /** Returns the URL that the router uses, from node's request object. `this` is the root context. */
  rewriteUrl?: (this: Context, rawRequest: IncomingMessage) => string;
  /** Whether a context may call `setErrorHandler` twice: the second handler then gets errors first. Default `true`. */
  allowErrorHandlerOverride?: boolean;
  /** Options of the router. */
  routerOptions?: RouterOptions;
  /**
   * When validators and serializers are generated. Mistakes in schemas are always found at boot. `first-use`, the default: with the first
   * request that needs them. `background`: once the server listens. `boot`: before the application is ready.
   */
  compile?: CompileTime;
  /** The module that `compileSchemas` wrote in a build. The schemas in it are not compiled again. */
  compiled?: object | null | undefined;
}
