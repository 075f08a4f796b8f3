/**
 * The object that plugins hold. Children inherit from it, so that a decorator, or a method that somebody replaced, reads
 * as a property. Each method finds its own node's tables through `this`. The public types are in `contract/context/`.
 */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  SchemaControllerOptions,
  SchemaErrorFormatter,
  SerializerCompiler,
  ValidatorCompiler,
} from '../contract/compiler.ts';
import type { Context } from '../contract/context.ts';
import {
  AlreadyStarted,
  DecoratorAfterStart,
  DecoratorUndeclared,
  OptionInvalid,
  ParserAfterStart,
} from '../contract/errors.ts';
import type { ErrorHandler, Handler } from '../contract/handlers.ts';
import type { Inject } from '../contract/inject.ts';
import type { ChildLoggerFactory, Logger } from '../contract/logger.ts';
import type { CollectedParser, PoisoningAction } from '../contract/parsers.ts';
import type { ConstraintStrategy } from '../contract/route-constraints.ts';
import type { FoundRoute, PrintRoutesOptions, RouteQuery } from '../contract/route-info.ts';
import type { RouteOptions } from '../contract/route-options.ts';
import type { ListenOptions } from '../contract/server.ts';
import { addHook } from './add-hook.ts';
import { addParser, removeParser } from './add-parser.ts';
import { addRoute } from './add-route.ts';
import type { AppState } from './app-state.ts';
import { changeContext, withLocation } from './change-context.ts';
import { checkFunction, checkObject } from './check-options.ts';
import { checkFormatter, checkSchemaController } from './check-schema-options.ts';
import { type ContextNode, childLoggerFactoryOf, nodeOf } from './context-node.ts';
import { type DecoratorName, decorateContext } from './decorators.ts';
import { addErrorHandler, errorHandlerOf } from './error-handlers.ts';
import type { AnyHook } from './hook-table.ts';
import { type ListenCallback, listen, originOf } from './listen.ts';
import { makeInject } from './make-inject.ts';
import { setNotFoundHandler } from './not-found-handlers.ts';
import { asParser, makeJsonReader, readText } from './parser-table.ts';
import { declareByShortcut, installShortcuts, makeShortcut, supportMethod } from './route-shortcuts.ts';

type Callback = (...args: never[]) => unknown;

const defaultTextParser: CollectedParser<string> = asParser(readText);

const makeLateDecoratorError = (name: string): Error => new DecoratorAfterStart(name);
const makeLateParserError = (call: string): Error => new ParserAfterStart(call);

export class RootContext {
  log: Logger;
  server: Server;
  initialConfig: Readonly<Record<string, unknown>>;
  routing: (rawRequest: unknown, rawResponse: unknown) => void;
  inject: Inject;

  /** Called without its context as often as with it: `process.once('SIGTERM', app.close)`. */
  close: (listener?: (error?: Error) => void) => this | Promise<void>;

  constructor(app: Pick<AppState, 'log' | 'initialConfig' | 'routing' | 'close' | 'inject'>, server: Server) {
    this.log = app.log;
    this.server = server;
    this.initialConfig = app.initialConfig;
    this.routing = app.routing;
    this.inject = makeInject(app);
    this.close = (listener) => {
      const closed = app.close();
      if (listener === undefined) return closed;
      closed.then(() => listener(), listener);
      return this;
    };
  }

  // ---- identity

  get pluginName(): string {
    return nodeOf(this).names.join(' -> ');
  }

  get prefix(): string {
    return nodeOf(this).prefix;
  }

  get version(): string {
    return nodeOf(this).app.version;
  }

  // ---- plugins and boot

  register(plugin: unknown, options?: unknown): this {
    const node = nodeOf(this);
    withLocation(node, () => node.app.boot.register(plugin, options));
    return this;
  }

  after(listener?: Callback): this | Promise<void> {
    const { boot } = nodeOf(this).app;
    if (typeof listener !== 'function') return boot.afterAll();
    boot.after(this as unknown as Context, listener);
    return this;
  }

  // biome-ignore lint/suspicious/noThenProperty: `await app.register(…)` waits until the plugin has loaded.
  get then(): PromiseLike<Context>['then'] | undefined {
    return nodeOf(this).app.boot.thenOf(this as unknown as Context);
  }

  ready(listener?: (error: Error | null, context?: Context) => void): Promise<Context> | undefined {
    const { app, parent } = nodeOf(this);
    // In a plugin, `ready` is a step of boot itself: before the `onReady` hooks, which wait for the plugin.
    if (parent !== undefined)
      return app.boot.readyIn(this as unknown as Context, listener as Callback | undefined);
    const booted = app.whenReady();
    if (listener == null) return booted;
    booted.then(() => listener(null, app.root), listener);
    return undefined;
  }

  onClose(hook: AnyHook): this {
    nodeOf(this).app.boot.onClose(this as unknown as Context, hook);
    return this;
  }

  hasPlugin(name: string): boolean {
    return nodeOf(this).isRegistered(name);
  }

  printPlugins(): string {
    return nodeOf(this).app.boot.print();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return nodeOf(this).app.close();
  }

  /** Types only: the compiler sees other types, the context stays as it is. */
  withTypeProvider(): this {
    return this;
  }

  // ---- decorators

  decorate(name: DecoratorName, value?: unknown, dependencies?: unknown): this {
    return changeContext(
      this,
      String(name),
      ({ app: { interceptors } }) => {
        const intercepted = interceptors ? interceptors.decorate(name, value) : value;
        decorateContext(this, name, intercepted, dependencies);
      },
      makeLateDecoratorError,
    );
  }

  decorateRequest(name: DecoratorName, value?: unknown, dependencies?: unknown): this {
    return changeContext(
      this,
      String(name),
      ({ requestDecorators }) => requestDecorators.add(name, value, dependencies),
      makeLateDecoratorError,
    );
  }

  decorateReply(name: DecoratorName, value?: unknown, dependencies?: unknown): this {
    return changeContext(
      this,
      String(name),
      ({ replyDecorators }) => replyDecorators.add(name, value, dependencies),
      makeLateDecoratorError,
    );
  }

  hasDecorator(name: DecoratorName): boolean {
    return name in this;
  }

  hasRequestDecorator(name: DecoratorName): boolean {
    return nodeOf(this).requestDecorators.has(name);
  }

  hasReplyDecorator(name: DecoratorName): boolean {
    return nodeOf(this).replyDecorators.has(name);
  }

  getDecorator(name: DecoratorName): unknown {
    if (!(name in this))
      throw nodeOf(this).app.translateError(new DecoratorUndeclared(String(name), 'instance'));
    const value = (this as unknown as Record<DecoratorName, unknown>)[name];
    return typeof value === 'function' ? value.bind(this) : value;
  }

  // ---- hooks

  addHook(name: string, hook: AnyHook): this {
    return changeContext(this, 'addHook', (node) => addHook(node, name, hook));
  }

  // ---- routes

  route(options: RouteOptions): this {
    addRoute(nodeOf(this), options);
    return this;
  }

  all(url: unknown, details: unknown, handler?: unknown): this {
    return declareByShortcut(this, nodeOf(this).methods.names, url, details, handler);
  }

  get supportedMethods(): string[] {
    return nodeOf(this).methods.names;
  }

  addHttpMethod(method: string, options?: { hasBody?: boolean; overrideExisting?: boolean } | null): this {
    const { hasBody = false, overrideExisting = false } = options ?? {};
    changeContext(this, 'addHttpMethod', (node) => supportMethod(node, method, hasBody, overrideExisting));
    const shortcut = method.toLowerCase();
    if (!(shortcut in this)) decorateContext(this, shortcut, makeShortcut(method), undefined);
    return this;
  }

  hasRoute(route: RouteQuery): boolean {
    checkObject(route, 'hasRoute');
    const { method, url, constraints } = route;
    return nodeOf(this).app.router.has(method?.toUpperCase() ?? '', url || '', constraints);
  }

  findRoute(route: RouteQuery): FoundRoute | null {
    checkObject(route, 'findRoute');
    const { method, url, constraints } = route;
    return nodeOf(this).app.findRoute(method?.toUpperCase() ?? '', url || '', constraints);
  }

  printRoutes(options?: PrintRoutesOptions | null): string {
    return nodeOf(this).app.printRoutes(options ?? {});
  }

  addConstraintStrategy(strategy: ConstraintStrategy): void {
    changeContext(
      this,
      'addConstraintStrategy',
      ({ app }) => {
        checkObject(strategy, 'addConstraintStrategy');
        app.router.addConstraint(strategy);
      },
      () => new AlreadyStarted('Cannot add constraint strategy!'),
    );
  }

  hasConstraintStrategy(name: string): boolean {
    return nodeOf(this).app.router.hasConstraint(name);
  }

  setNotFoundHandler(detailsOrHandler?: unknown, handler?: Handler): this {
    return changeContext(this, 'setNotFoundHandler', (node) =>
      setNotFoundHandler(node, detailsOrHandler, handler),
    );
  }

  // ---- schemas

  addSchema(schema: unknown): this {
    return changeContext(this, 'addSchema', ({ schemas }) => schemas.add(schema));
  }

  getSchema(id: string): unknown {
    return nodeOf(this).schemas.get(id);
  }

  getSchemas(): Record<string, unknown> {
    return nodeOf(this).schemas.all();
  }

  setValidatorCompiler(compiler: ValidatorCompiler): this {
    return changeContext(this, 'setValidatorCompiler', ({ schemas }) => {
      checkFunction(compiler, 'setValidatorCompiler');
      schemas.validatorCompiler = compiler;
    });
  }

  setSerializerCompiler(compiler: SerializerCompiler): this {
    return changeContext(this, 'setSerializerCompiler', ({ schemas }) => {
      checkFunction(compiler, 'setSerializerCompiler');
      schemas.serializerCompiler = compiler;
    });
  }

  setSchemaErrorFormatter(formatter: SchemaErrorFormatter<Context>): this {
    return changeContext(this, 'setSchemaErrorFormatter', ({ settings }) => {
      checkFormatter(formatter);
      settings.formatProblems = formatter.bind(this as unknown as Context);
    });
  }

  setSchemaController(options: SchemaControllerOptions): this {
    return changeContext(this, 'setSchemaController', ({ schemas }) => {
      checkSchemaController(options, (problem) => OptionInvalid('setSchemaController', problem));
      if (options) schemas.setController(options);
    });
  }

  setReplySerializer(serialize: (payload: never, status: number) => string): this {
    return changeContext(this, 'setReplySerializer', ({ settings }) => {
      if (serialize) checkFunction(serialize, 'setReplySerializer');
      settings.replySerializer = serialize || undefined;
    });
  }

  get validatorCompiler(): ValidatorCompiler | undefined {
    return nodeOf(this).schemas.knownValidator;
  }

  get serializerCompiler(): SerializerCompiler | undefined {
    return nodeOf(this).schemas.knownSerializer;
  }

  // ---- errors and logs

  setErrorHandler(handler: ErrorHandler): this {
    return changeContext(this, 'setErrorHandler', (node) => addErrorHandler(node, handler));
  }

  get errorHandler(): ErrorHandler {
    return errorHandlerOf(nodeOf(this));
  }

  setChildLoggerFactory(factory: ChildLoggerFactory<Context>): this {
    return changeContext(this, 'setChildLoggerFactory', ({ settings }) => {
      checkFunction(factory, 'setChildLoggerFactory');
      settings.childLoggerFactory = factory;
    });
  }

  get childLoggerFactory(): ChildLoggerFactory<Context> {
    return childLoggerFactoryOf(nodeOf(this));
  }

  setGenReqId(generate: (rawRequest: never) => string): this {
    return changeContext(this, 'setGenReqId', ({ settings }) => {
      if (generate) checkFunction(generate, 'setGenReqId');
      settings.makeRequestId = generate || undefined;
    });
  }

  get genReqId(): (rawRequest: never) => string {
    const node = nodeOf(this);
    return node.setting('makeRequestId') ?? node.app.defaultRequestId;
  }

  // ---- bodies

  addContentTypeParser(mediaTypes: unknown, optionsOrParser: unknown, parser?: unknown): this {
    const add = (node: ContextNode): void => addParser(node, mediaTypes, optionsOrParser, parser);
    return changeContext(this, 'addContentTypeParser', add, makeLateParserError);
  }

  hasContentTypeParser(mediaType: string | RegExp): boolean {
    return nodeOf(this).parsers.has(mediaType);
  }

  removeContentTypeParser(mediaTypes: string | RegExp | (string | RegExp)[]): void {
    changeContext(
      this,
      'removeContentTypeParser',
      (node) => removeParser(node, mediaTypes),
      makeLateParserError,
    );
  }

  removeAllContentTypeParsers(): void {
    changeContext(
      this,
      'removeAllContentTypeParsers',
      ({ parsers }) => parsers.removeAll(),
      makeLateParserError,
    );
  }

  getDefaultJsonParser(onProto: PoisoningAction, onConstructor: PoisoningAction): CollectedParser<string> {
    return asParser(makeJsonReader(onProto, onConstructor));
  }

  get defaultTextParser(): CollectedParser<string> {
    return defaultTextParser;
  }

  // ---- serving

  listen(
    optionsOrCallback?: ListenOptions | ListenCallback,
    callback?: ListenCallback,
  ): Promise<string | undefined> | undefined {
    return listen(nodeOf(this), optionsOrCallback, callback);
  }

  addresses(): AddressInfo[] {
    return nodeOf(this).app.addresses();
  }

  get listeningOrigin(): string {
    const { app } = nodeOf(this);
    return originOf(app.addresses().at(-1)!, app.initialConfig.https ? 'https' : 'http');
  }
}

installShortcuts(RootContext.prototype);
