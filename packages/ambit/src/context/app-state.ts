/** What all contexts of one application share: its options, router, boot and log, and what the layers above provide. */
import type { AddressInfo } from 'node:net';
import type { Router } from '../routing/router.ts';
import type { CompilerFactories } from '../schemas/schema-registry.ts';
import type { Context } from '../types/context.ts';
import type { Exchange } from '../types/exchange.ts';
import type { Compatibility, ErrorTranslator, Flavor } from '../types/flavor.ts';
import type { ErrorHandler, Handler } from '../types/hooks.ts';
import type { InjectOptions, InjectResponse } from '../types/inject.ts';
import type { SerializationChange } from '../types/inspection.ts';
import type { FetchExecution, ListenOptions } from '../types/options.ts';
import type { ServerState } from '../types/plan.ts';
import type { Reply } from '../types/reply.ts';
import type { FoundRoute, PrintRoutesOptions } from '../types/route-info.ts';
import type { RouteConstraints } from '../types/route-options.ts';
import type { Boot } from './boot/boot.ts';
import type { Closing } from './closing/closing.ts';
import type { InstanceBase } from './decorators.ts';
import type { Logging } from './loggers.ts';
import type { ResolvedOptions } from './options/resolve-options.ts';

export interface AppState extends Logging, UpperLayers {
  readonly options: ResolvedOptions;
  readonly flavor: Flavor;
  /** That of the flavor. */
  readonly compatibility: Compatibility;
  /** Gives errors of the catalogue the name and the message that the application uses. */
  readonly translateError: ErrorTranslator;
  readonly router: Router;
  readonly boot: Boot;
  /** Created when it is first needed. */
  closing(): Closing;
  readonly server: ServerState;
  /** Functions that tools have added to learn what serializing changes; read when serializers are compiled. */
  readonly serializationListeners: ((change: SerializationChange) => void)[];
  /** The root context. `ready` resolves with it. */
  readonly root: Context;
}

/** What the layers above provide to contexts. */
interface UpperLayers {
  readonly requestBase: InstanceBase;
  readonly replyBase: InstanceBase;
  readonly compilerFactories: CompilerFactories;
  readonly defaultErrorHandler: ErrorHandler;
  readonly defaultNotFoundHandler: Handler;
  readonly nextRequestNumber: () => number;
  readonly defaultRequestId: (rawRequest: never) => string;
  /** Returns the text of a module with the functions that the default engines compile from all schemas. */
  compileSchemas(): Promise<string>;
  /** Resolves with the first address, or with `undefined` if the signal was aborted before. */
  listen(options: ListenOptions, listener?: ListenCallback): Promise<string | undefined>;
  addresses(): AddressInfo[];
  /** Called by transports with each exchange: boots if needed, and finds the route. A test has a transport of its own. */
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
