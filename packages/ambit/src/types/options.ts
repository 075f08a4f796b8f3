/** The options of `ambit()`, `listen` and `close`. */
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { SecureServerOptions } from 'node:http2';
import type { ServerOptions as HttpsServerOptions } from 'node:https';
import type { Socket } from 'node:net';
import type {
  AjvOptions,
  CompileTime,
  SchemaControllerOptions,
  SchemaErrorFormatter,
  SerializerOptions,
} from './compilers.ts';
import type { Context } from './context.ts';
import type { Exchange } from './exchange.ts';
import type { HealthOptions, OverloadOptions } from './feature-options.ts';
import type { ErrorHandler } from './hooks.ts';
import type { LogController } from './log-controller.ts';
import type { ChildLoggerFactory, Logger, LoggerOptions } from './logger.ts';
import type { MultipartOptions } from './multipart.ts';
import type { ErrorFormat } from './problems.ts';
import type { PoisoningAction, Request } from './request.ts';
import type { ConstraintStrategy } from './route-options.ts';
import type { AllowedResponses } from './route-types.ts';

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

/** The options of `ambit()`: times in milliseconds, sizes in bytes. Those of the router are accepted too, as in earlier Fastify. */
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
  /** Adds the routes for probes, for example those of Kubernetes: `true` for `/livez` and `/readyz`, or their paths. Default: no routes. */
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
  /** What to do about a key `constructor` with a `prototype` in a JSON body, as for `onProtoPoisoning`. Default `error`. */
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
  /** Whether log lines have `traceparent` and `trace_id` of a valid header `traceparent` (W3C Trace Context). Default `false`. */
  logTraceContext?: boolean;
  /** Creates the logger of each request. Default: it calls `child` of the application's logger. */
  childLoggerFactory?: ChildLoggerFactory<Context>;
  /** The header that request ids are taken from; `true` is `request-id`. Default `false`: none. */
  requestIdHeader?: string | boolean;
  /** Creates the id of a request, from node's request object. Default: a counter (`req-1`). */
  genReqId?: (rawRequest: IncomingMessage) => string;
  /** Which proxies' forwarding headers are used: `true` for all, addresses or ranges, a function. A number: none. Default `false`. */
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
  /**
   * Whether a browser on this machine gets a page with the lines of the program for an error that the default error handler answers. It
   * gets none if `NODE_ENV` is `production` or `test`. Default `true`.
   */
  errorPage?: boolean;
  /** Replaces the store of shared schemas, and how compilers are created. */
  schemaController?: SchemaControllerOptions;
  /** Creates the error of an invalid request. `this` is the context of the route. */
  schemaErrorFormatter?: SchemaErrorFormatter<Context>;
  /** The format of errors that no error handler answers: `json` (default), or `problem` (RFC 9457). See `setErrorFormat`. */
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

/** The third argument that workers pass to `fetch`. */
export interface FetchExecution {
  /** Keeps the request alive until the work has ended: otherwise, the runtime ends it with the response. */
  waitUntil(work: PromiseLike<unknown>): void;
}

/** The options of `listen`. */
export interface ListenOptions {
  /** TCP port: 0 to 65,535. 0, the default, picks a free one. */
  port?: number;
  /** Address or host name to listen on. Default `localhost`, on IPv4 and IPv6. */
  host?: string;
  /** Path of a UNIX socket, instead of a port. */
  path?: string;
  /** Longest queue of pending connections. Default: node's, 511. */
  backlog?: number;
  /** If `true`, workers of a cluster do not share the port. Default `false`. */
  exclusive?: boolean;
  /** Whether all users may read the UNIX socket. Default `false`. */
  readableAll?: boolean;
  /** Whether all users may write to the UNIX socket. Default `false`. */
  writableAll?: boolean;
  /** Whether an IPv6 address does not serve IPv4, too. Default `false`. */
  ipv6Only?: boolean;
  /** Lets several processes listen on one port, where node and the system support it. Default `false`. */
  reusePort?: boolean;
  /** An open file descriptor to listen on, instead of a port or a path. The address of a UNIX socket is then `fd://` and its number. */
  fd?: number;
  /** Aborting it closes the server. */
  signal?: AbortSignal;
  /** Returns the text to log for each address. Default: `Server listening at` and the address. */
  listenTextResolver?: (address: string) => string;
}

/** The options of the application with which servers are created. Times are in milliseconds; 0 is no limit. */
export interface ServerSettings extends Readonly<Record<ServerLimit, number>> {
  /** A copy of the options that were passed to `ambit()`. */
  readonly userOptions: AmbitOptions;
}
type ServerLimit =
  | ('connectionTimeout' | 'keepAliveTimeout' | 'headersTimeout' | 'requestTimeout')
  | ('maxRequestsPerSocket' | 'http2SessionTimeout');

/** The options of `close`. */
export interface CloseOptions {
  /** How long running requests may take to end after `delayMs`, in milliseconds: 0 to 2,147,483,647, default 10,000. */
  graceMs?: number;
  /**
   * How long everything is still served, in milliseconds, so that load balancers notice that the application stops: 0 to 2,147,483,647,
   * default 0. In the second half of this time, responses on keep-alive connections announce that the connection ends.
   */
  delayMs?: number;
}

/** The options of `closeOnSignals`. */
export interface CloseOnSignalsOptions extends CloseOptions {
  /** The signals that close the application. Default: `SIGTERM` and `SIGINT`. */
  signals?: readonly NodeJS.Signals[];
}

/** A request or a connection that a closing application still serves. */
export interface Unfinished {
  /** The request; `undefined` for a connection that was upgraded, and for one whose client has not taken its last response. */
  readonly exchange: Exchange | undefined;
  /** When its connection was opened, on the clock of `performance.now()`; 0 if there is none. */
  readonly openedMs: number;
}
