/** What all contexts of one application share: its options, router, boot and log, and the services wired in above. */
import type { AddressInfo } from 'node:net';
import type { Router } from '../routing/router.ts';
import type { CompilerFactories } from '../schemas/schema-registry.ts';
import { addFirst, CallSite, type DeclarationPlace } from '../shared/call-site.ts';
import type { AjvOptions, SchemaControllerOptions } from '../types/compilers.ts';
import type { Context } from '../types/context.ts';
import type { Exchange } from '../types/exchange.ts';
import type { Compatibility, ErrorTranslator, Interceptors } from '../types/flavor.ts';
import type { ErrorHandler, Handler } from '../types/hooks.ts';
import type { InjectOptions, InjectResponse } from '../types/inject.ts';
import type { DefinitionKind, Origin, SerializationChange } from '../types/inspection.ts';
import type { LogWriter } from '../types/log-controller.ts';
import type { ChildLoggerFactory, Logger } from '../types/logger.ts';
import type { MultipartOptions } from '../types/multipart.ts';
import type { CloseOptions, FetchExecution, ListenOptions } from '../types/options.ts';
import type { ServerState } from '../types/plan.ts';
import type { Reply } from '../types/reply.ts';
import type { PoisoningAction } from '../types/request.ts';
import type { FoundRoute, PrintRoutesOptions } from '../types/route-info.ts';
import type { RouteConstraints } from '../types/route-options.ts';
import type { Boot } from './boot/boot.ts';
import type { Registration } from './boot/plugins.ts';
import type { ContextNode } from './context-node.ts';
import type { DecoratorName } from './decorators.ts';
import { warnIfLate } from './late-settings.ts';

/** The base class of requests or of replies: its prototype, and the fields that its constructor sets. */
export interface InstanceBase {
  readonly prototype: object;
  readonly fields: ReadonlySet<DecoratorName>;
}

/** The functions that the layers above provide to contexts. */
export interface Services {
  readonly defaultErrorHandler: ErrorHandler;
  readonly defaultNotFoundHandler: Handler;
  readonly defaultChildLoggerFactory: ChildLoggerFactory<Context>;
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

export interface AppState extends Services {
  readonly options: AppOptions;
  readonly initialConfig: Readonly<Record<string, unknown>>;
  readonly compatibility: Compatibility;
  /** Gives errors of the catalogue the name and the message that the application uses. */
  readonly translateError: ErrorTranslator;
  readonly log: Logger;
  /** False when nothing is logged: requests then share the silent logger. */
  readonly hasLogger: boolean;
  readonly logWriter: LogWriter;
  readonly router: Router;
  readonly boot: Boot;
  readonly server: ServerState;
  readonly requestBase: InstanceBase;
  readonly replyBase: InstanceBase;
  readonly compilerFactories: CompilerFactories;
  /** Functions that tools have added to learn what serializing changes; read when serializers are compiled. */
  readonly serializationListeners: ((change: SerializationChange) => void)[];
  readonly schemaController: SchemaControllerOptions | undefined;
  /** The root context. `ready` resolves with it. */
  readonly root: Context;
  readonly version: string;
  /** The API level that plugins' version ranges are checked against; `undefined` if it is `version`. */
  readonly apiLevel: string | undefined;
  readonly interceptors: Interceptors | undefined;
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
  /** Whether the application creates its server itself, with `serverFactory`. */
  readonly hasOwnServer: boolean;
}

/** Something that a context defines, the line that did it, and the step of boot that the line belongs to. */
export interface Definition extends Origin {
  readonly kind: DefinitionKind;
  readonly name: string | symbol;
  readonly value: unknown;
}

let recordsSites = false;

/**
 * Makes all applications of this process record the line of each declaration from now on: of decorators, hooks, schemas, parsers,
 * handlers, compilers and settings. `listContexts` and `listSteps` return it as `file`. By default they are not recorded,
 * because each line costs a stack trace. A tool must call this before the modules of the application are evaluated. Lines of routes and
 * plugins are always recorded: errors show them.
 */
export function recordDeclarationSites(): void {
  recordsSites = true;
}

/** Whether a tool has asked for the lines of declarations. */
export function isRecordingSites(): boolean {
  return recordsSites;
}

/** Runs a declaration. If there already is one of the same kind and name, the error says where. */
export function declareOnce(
  node: ContextNode,
  isSame: (definition: Definition) => boolean,
  declare: () => void,
): void {
  try {
    declare();
  } catch (error) {
    addFirst(error, findDeclaration(node, isSame));
    throw error;
  }
}

/** Finds where something was declared, in a context or above. */
export function findDeclaration(
  node: ContextNode,
  isSame: (definition: Definition) => boolean,
): DeclarationPlace | undefined {
  for (let owner: ContextNode | undefined = node; owner !== undefined; owner = owner.parent) {
    const first = owner.definitions.find(isSame);
    if (first === undefined) continue;
    const registration = first.step.owner as Registration | undefined;
    return { plugin: owner.path, file: (first.site ?? registration?.site)?.location };
  }
  return undefined;
}

/** Records what a call has defined. Stack frames are only collected here: they become text when a tool reads them. */
export function define(
  node: ContextNode,
  kind: DefinitionKind,
  name: string | symbol,
  value: unknown,
): Definition {
  const site = recordsSites ? new CallSite() : undefined;
  const definition = { kind, name, value, site, step: node.app.boot.step };
  warnIfLate(node, definition);
  node.definitions.push(definition);
  return definition;
}
