/** What all contexts of one application share: its options, router, boot and log, and the services wired in above. */
import type { AddressInfo } from 'node:net';
import type { Router } from '../routing/router.ts';
import type { CompilerFactories } from '../schemas/schema-registry.ts';
import type { AjvOptions, SchemaControllerOptions } from '../types/compilers.ts';
import type { Context } from '../types/context.ts';
import type { Exchange } from '../types/exchange.ts';
import {
  type Compatibility,
  type ErrorTranslator,
  errorTranslatorFor,
  type Flavor,
} from '../types/flavor.ts';
import type { ErrorHandler, Handler } from '../types/hooks.ts';
import type { InjectOptions, InjectResponse } from '../types/inject.ts';
import type { SerializationChange } from '../types/inspection.ts';
import type { MultipartOptions } from '../types/multipart.ts';
import type { CloseOptions, FetchExecution, ListenOptions } from '../types/options.ts';
import type { ServerState, UnansweredMonitor } from '../types/plan.ts';
import type { Reply } from '../types/reply.ts';
import type { PoisoningAction } from '../types/request.ts';
import type { FoundRoute, PrintRoutesOptions } from '../types/route-info.ts';
import type { RouteConstraints } from '../types/route-options.ts';
import type { Boot } from './boot/boot.ts';
import type { InstanceBase } from './decorators.ts';
import type { Logging } from './loggers.ts';

/** The functions that the layers above provide to contexts. */
export interface Services {
  readonly defaultErrorHandler: ErrorHandler;
  readonly defaultNotFoundHandler: Handler;
  readonly nextRequestNumber: () => number;
  readonly defaultRequestId: (rawRequest: never) => string;
  /** Boots. Settles before `whenReady`, for plugins. */
  whenBooted(): Promise<void>;
  whenReady(): Promise<Context>;
  close(): Promise<void>;
  /** @returns How many requests were cut off. */
  closeGracefully(options: CloseOptions): Promise<number>;
  /** Returns the text of a module with the functions that the default engines compile from all schemas. */
  compileSchemas(): Promise<string>;
  /** Resolves with the first address, or with `undefined` if the signal was aborted before. */
  listen(options: ListenOptions, listener?: ListenCallback): Promise<string | undefined>;
  addresses(): AddressInfo[];
  /** Stops accepting connections, and serves the open ones for at most `graceMs`. */
  drain(graceMs: number): Promise<void>;
  /** Called by transports with each exchange: boots if needed, and finds the route. */
  dispatch(exchange: Exchange): void;
  routing(rawRequest: unknown, rawResponse: unknown): void;
  /** @param context What the runtime passes as the second argument, after the request. */
  fetch(request: Request, context?: unknown, execution?: FetchExecution): Promise<Response>;
  replyTo(rawRequest: unknown, rawResponse: unknown): Reply;
  inject(options: InjectOptions | string | undefined, callback?: InjectCallback): unknown;
  findRoute(method: string, url: string, constraints?: RouteConstraints): FoundRoute | null;
  printRoutes(options: PrintRoutesOptions): string;
}

export type ListenCallback = (error: Error | null, address: string) => void;
export type InjectCallback = (error: Error | undefined, response: InjectResponse | undefined) => void;

export interface AppState extends Services, Logging {
  readonly options: AppOptions;
  readonly flavor: Flavor;
  /** That of the flavor. */
  readonly compatibility: Compatibility;
  /** Gives errors of the catalogue the name and the message that the application uses. */
  readonly translateError: ErrorTranslator;
  readonly router: Router;
  readonly boot: Boot;
  readonly server: ServerState;
  readonly requestBase: InstanceBase;
  readonly replyBase: InstanceBase;
  readonly compilerFactories: CompilerFactories;
  /** Functions that tools have added to learn what serializing changes; read when serializers are compiled. */
  readonly serializationListeners: ((change: SerializationChange) => void)[];
  /** The root context. `ready` resolves with it. */
  readonly root: Context;
  isStarted: boolean;
}

/** Options of the application that contexts and routes read, with their defaults filled in. */
export interface AppOptions {
  readonly bodyLimit: number;
  readonly multipart: MultipartOptions | undefined;
  readonly onProtoPoisoning: PoisoningAction;
  readonly onConstructorPoisoning: PoisoningAction;
  readonly handlerTimeout: number;
  readonly exposeHeadRoutes: boolean;
  readonly ignoreTrailingSlash: boolean;
  readonly ignoreDuplicateSlashes: boolean;
  readonly allowErrorHandlerOverride: boolean;
  readonly requestIdHeader: string | false;
  /** Whether log lines of a request name the trace that it belongs to. */
  readonly logsTraceContext: boolean;
  readonly pluginTimeout: number;
  readonly ajv: AjvOptions;
  readonly schemaController: SchemaControllerOptions | undefined;
  /** The options that contain no secrets, with their defaults, frozen. */
  readonly initialConfig: Readonly<Record<string, unknown>>;
  /** Whether the application creates its server itself, with `serverFactory`. */
  readonly hasOwnServer: boolean;
}

/** The state of the server when the application is created. */
export function makeServerState(
  { isProduction, return503OnClosing }: Pick<ServerState, 'isProduction' | 'return503OnClosing'>,
  compatibility: Compatibility,
  { hasLogger, router, unanswered, isTrustedProxy }: ServerParts,
): ServerState {
  return {
    isStopping: false,
    isClosing: false,
    isDraining: false,
    mayStayOpen: undefined,
    unanswered: isProduction ? undefined : unanswered,
    unansweredErrors: unanswered,
    isProduction,
    sendsErrorsAsFastify: compatibility.messages === 'fastify',
    hasLogger,
    hasWarnedOfHiddenError: false,
    translateError: errorTranslatorFor(compatibility),
    streams: undefined,
    return503OnClosing,
    watchers: [],
    isTrustedProxy,
    hasVersionConstraint: () => router.hasConstraint('version'),
    canonicalPath: (url) => router.canonicalPath(url),
  };
}

interface ServerParts extends Pick<ServerState, 'hasLogger' | 'isTrustedProxy'> {
  readonly router: Router;
  readonly unanswered: UnansweredMonitor;
}
