/** The options of the factory, and of the router behind it. */
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
} from './compiler.ts';
import type { Context } from './context.ts';
import type { ErrorHandler } from './handlers.ts';
import type { LogController } from './log-controller.ts';
import type { ChildLoggerFactory, Logger, LoggerOptions } from './logger.ts';
import type { PoisoningAction } from './parsers.ts';
import type { Request } from './request.ts';
import type { ConstraintStrategy } from './route-constraints.ts';

/** Options of the router. */
export interface RouterOptions {
  /** Whether routes may use regular expressions that can be made to run for very long. Default false. */
  allowUnsafeRegex?: boolean;
  /** Default true; false matches paths whatever their case, and leaves parameters as they came. */
  caseSensitive?: boolean;
  /** Turns the routing trees into generated code at boot. Default false. */
  compile?: boolean;
  constraints?: Record<string, ConstraintStrategy>;
  ignoreDuplicateSlashes?: boolean;
  ignoreTrailingSlash?: boolean;
  /** Longest value of a parameter in characters; longer ones are answered 414. Default 100. */
  maxParamLength?: number;
  querystringParser?: (text: string) => unknown;
  /** Whether `;` separates the query string too. Default false. */
  useSemicolonDelimiter?: boolean;
  buildPrettyMeta?: (route: { store: unknown }) => Record<string | symbol, unknown>;
  defaultRoute?: (request: IncomingMessage, response: ServerResponse) => void;
  onBadUrl?: (path: string, request: IncomingMessage, response: ServerResponse) => void;
  onMaxParamLength?: (path: string, request: IncomingMessage, response: ServerResponse) => void;
}

/**
 * The options of `ambit()`. Times are in milliseconds, sizes in bytes. Those of the router stand here, too, where earlier versions
 * of the ecosystem had them.
 */
export interface AmbitOptions extends Omit<RouterOptions, 'compile'> {
  /** Options of node's HTTP server. */
  http?: ServerOptions | null;
  /** Serves TLS, with the options of node's HTTPS server. */
  https?: (HttpsServerOptions & SecureServerOptions) | boolean | null;
  http2?: boolean;
  /** Makes the server itself; what concerns node's own servers is then ignored. */
  serverFactory?: (
    handler: (request: IncomingMessage, response: ServerResponse) => void,
    options: AmbitOptions,
  ) => Server;
  /** Longest silence on a socket; 0, the default, is no limit. */
  connectionTimeout?: number;
  /** Longest idle time of a kept connection. Default 72,000. */
  keepAliveTimeout?: number;
  /** Longest time to receive the header section. Default 60,000. */
  headersTimeout?: number;
  /** Longest time to receive a whole request. Default 300,000. */
  requestTimeout?: number;
  /** Longest time from routing to the reply; 0, the default, is no limit. */
  handlerTimeout?: number;
  /** Requests that one connection may carry; 0, the default, is no limit. */
  maxRequestsPerSocket?: number | null;
  http2SessionTimeout?: number;
  /** Whether `close` destroys open connections: all, the idle ones (the default), or none. */
  forceCloseConnections?: boolean | 'idle';
  /** Whether requests that arrive while closing are answered 503. Default true. */
  return503OnClosing?: boolean;
  /** Largest body. Default 1,048,576 (1 MiB). */
  bodyLimit?: number;
  /** What to do about a `__proto__` key in a JSON body. Default `'error'`. */
  onProtoPoisoning?: PoisoningAction;
  /** What to do about a `constructor.prototype` in a JSON body. Default `'error'`. */
  onConstructorPoisoning?: PoisoningAction;
  /** True, or options of pino. Default false. */
  logger?: boolean | LoggerOptions | null;
  /** A logger that is there already. */
  loggerInstance?: Logger | null;
  logController?: LogController;
  disableRequestLogging?: boolean | ((request: Request) => boolean);
  requestIdLogLabel?: string;
  childLoggerFactory?: ChildLoggerFactory<Context>;
  /** The header that request ids are taken from; true is `request-id`. Default false. */
  requestIdHeader?: string | boolean;
  genReqId?: (rawRequest: IncomingMessage) => string;
  /** Which proxies' forwarding headers are believed: all, addresses or ranges, or a predicate. Default false. */
  trustProxy?: boolean | string | string[] | number | ((address: string, hop: number) => boolean);
  /** Longest time that a plugin or a boot hook may take; 0 is no limit. Default 10,000. */
  pluginTimeout?: number;
  /** Whether GET routes answer HEAD. Default true. */
  exposeHeadRoutes?: boolean;
  ajv?: AjvOptions;
  serializerOpts?: SerializerOptions;
  /**
   * Whether warnings are logged of what serializing changes: properties dropped, values coerced, defaults written for missing ones.
   * Each value is then walked twice. Default: whether the environment variable `NODE_ENV` is `development`.
   */
  reportSerialization?: boolean;
  schemaController?: SchemaControllerOptions;
  schemaErrorFormatter?: SchemaErrorFormatter<Context>;
  /** Answers what fails before a route is found: bad URLs, parameters too long, failing constraints. */
  frameworkErrors?: ErrorHandler | null;
  /** Answers what node cannot read as a request. */
  clientErrorHandler?: (this: Context, error: Error & { code?: string }, socket: Socket) => void;
  /** Gives the URL to route by, from the raw request. `this` is the root. */
  rewriteUrl?: (this: Context, rawRequest: IncomingMessage) => string;
  /** Whether a second `setErrorHandler` in one context replaces the first. Default true. */
  allowErrorHandlerOverride?: boolean;
  routerOptions?: RouterOptions;
  /**
   * When validators and serializers become code. Faults of schemas are found at boot in any case. `'first-use'`, the default, leaves
   * it to the first request that needs them; `'background'` does it once the server listens; `'boot'` before it is ready.
   */
  compile?: CompileTime;
  /** The module that `compileSchemas` wrote in a build: what it holds is not compiled again. */
  compiled?: object | null | undefined;
}
