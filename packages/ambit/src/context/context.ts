/**
 * The object that plugins hold. Children inherit from it, so that a decorator, or a method that somebody replaced, reads
 * as a property. Each method finds its own node's tables through `this`. The public types are in `contract/context.ts`.
 */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PoisoningAction } from '../contract/body.ts';
import type {
  SchemaControllerOptions,
  SchemaErrorFormatter,
  SerializerCompiler,
  ValidatorCompiler,
} from '../contract/compiler.ts';
import type {
  CollectedParser,
  Context,
  ErrorHandler,
  FoundRoute,
  Handler,
  RouteOptions,
} from '../contract/context.ts';
import {
  AlreadyStarted,
  DecoratorAfterStart,
  DecoratorUndeclared,
  ErrorHandlerAlreadySet,
  ErrorHandlerNotFunction,
  HookHandlerInvalid,
  MethodInvalid,
  OptionInvalid,
  ParserAfterStart,
} from '../contract/errors.ts';
import type { ListenOptions } from '../contract/listen.ts';
import type { ChildLoggerFactory, Logger } from '../contract/logger.ts';
import type { ConstraintStrategy, PrintRoutesOptions, RouteQuery } from '../contract/route-declaration.ts';
import { warnErrorHandlerOverridden, warnMethodRedefined, warnMixedStyles } from '../contract/warnings.ts';
import { CallSite } from '../kit/call-site.ts';
import { bodylessMethods, bodyMethods, parserMethods } from '../kit/http-facts.ts';
import { isAsyncFunction } from '../kit/thenable.ts';
import type { AppState } from './app-state.ts';
import { type ContextNode, nodeOf } from './context-node.ts';
import { declareRoute, readShortcut } from './declare-route.ts';
import { type DecoratorName, decorateContext } from './decorators.ts';
import { disposalHook } from './disposal-hook.ts';
import {
  type AnyHook,
  checkHook,
  checkHookStyle,
  requestHookNames,
  type TableHookName,
} from './hook-table.ts';
import { checkListenOptions } from './listen-options.ts';
import { readNotFoundDetails, setNotFoundHandler } from './not-found-routes.ts';
import { checkFunction } from './option-rules.ts';
import { asParser, makeJsonReader, type ParserOptions, readText } from './parser-table.ts';
import { checkFormatter, checkSchemaController } from './schema-options.ts';

type Callback = (...args: never[]) => unknown;

const defaultTextParser: CollectedParser<string> = asParser(readText);
type AnyDecoratorTable = ContextNode['requestDecorators'];

/** Hooks that wait their turn, so that a plugin registered before them adds its own first. The rest apply at once. */
const deferredHooks: ReadonlySet<string> = new Set([...requestHookNames, 'onRegister']);

/** @throws {AlreadyStarted} once boot is over: the tables are frozen then. */
function openNode(context: object, call: string): ContextNode {
  const node = nodeOf(context);
  if (node.app.isStarted) throw new AlreadyStarted(call);
  return node;
}

/** Runs a declaration, and adds to what it throws the context and the caller's file. */
function locating<T>(node: ContextNode, declare: () => T): T {
  try {
    return declare();
  } catch (error) {
    if (error instanceof Error && !('where' in error)) {
      Object.assign(error, { where: { plugin: node.path, file: new CallSite().place } });
    }
    throw error;
  }
}

export class RootContext {
  log: Logger;
  server: Server;
  initialConfig: Readonly<Record<string, unknown>>;
  routing: (rawRequest: unknown, rawResponse: unknown) => void;

  /** Called without its context as often as with it: `process.once('SIGTERM', app.close)`. */
  close: (listener?: (error?: Error) => void) => this | Promise<void>;

  constructor(app: Pick<AppState, 'log' | 'initialConfig' | 'routing' | 'close'>, server: Server) {
    this.log = app.log;
    this.server = server;
    this.initialConfig = app.initialConfig;
    this.routing = app.routing;
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
    locating(node, () => node.app.boot.register(plugin, options));
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
    const node = nodeOf(this);
    if (node.app.isStarted) throw new DecoratorAfterStart(String(name));
    locating(node, () => decorateContext(this, name, value, dependencies));
    return this;
  }

  decorateRequest(name: DecoratorName, value?: unknown, dependencies?: unknown): this {
    return addDecorator(this, nodeOf(this).requestDecorators, name, value, dependencies);
  }

  decorateReply(name: DecoratorName, value?: unknown, dependencies?: unknown): this {
    return addDecorator(this, nodeOf(this).replyDecorators, name, value, dependencies);
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
    if (!(name in this)) throw new DecoratorUndeclared(String(name), 'instance');
    const value = (this as unknown as Record<DecoratorName, unknown>)[name];
    return typeof value === 'function' ? value.bind(this) : value;
  }

  // ---- hooks

  addHook(name: string, hook: AnyHook): this {
    const node = openNode(this, 'Cannot call "addHook"!');
    locating(node, () => addHook(this as unknown as Context, node, name, hook));
    return this;
  }

  // ---- routes

  route(options: RouteOptions): this {
    declareRoute(nodeOf(this), options);
    return this;
  }

  all(url: unknown, details: unknown, handler?: unknown): this {
    const node = nodeOf(this);
    const { supportedMethods } = this;
    declareRoute(
      node,
      locating(node, () => readShortcut(supportedMethods, url, details, handler)),
    );
    return this;
  }

  get supportedMethods(): string[] {
    return nodeOf(this).methods.names;
  }

  addHttpMethod(
    method: string,
    { hasBody = false, overrideExisting = false }: { hasBody?: boolean; overrideExisting?: boolean } = {},
  ): this {
    const { methods } = openNode(this, 'Cannot call "addHttpMethod"!');
    if (typeof method !== 'string' || !parserMethods.has(method)) throw new MethodInvalid();
    if (methods.has(method) && !overrideExisting) warnMethodRedefined(method);
    methods.add(method, hasBody);
    const shortcut = method.toLowerCase();
    if (!this.hasDecorator(shortcut)) this.decorate(shortcut, makeShortcut(method));
    return this;
  }

  hasRoute({ method, url, constraints }: RouteQuery): boolean {
    return nodeOf(this).app.router.has(method?.toUpperCase() ?? '', url || '', constraints);
  }

  findRoute({ method, url, constraints }: RouteQuery): FoundRoute | null {
    return nodeOf(this).app.findRoute(method?.toUpperCase() ?? '', url || '', constraints);
  }

  printRoutes(options: PrintRoutesOptions = {}): string {
    return nodeOf(this).app.printRoutes(options);
  }

  addConstraintStrategy(strategy: ConstraintStrategy): void {
    openNode(this, 'Cannot add constraint strategy!').app.router.addConstraint(strategy);
  }

  hasConstraintStrategy(name: string): boolean {
    return nodeOf(this).app.router.hasConstraint(name);
  }

  setNotFoundHandler(detailsOrHandler?: unknown, handler?: Handler): this {
    const node = openNode(this, 'Cannot call "setNotFoundHandler"!');
    const isHandler = typeof detailsOrHandler === 'function';
    const chosen = isHandler ? (detailsOrHandler as Handler) : handler || node.app.defaultNotFoundHandler;
    locating(node, () => {
      checkFunction(chosen, 'setNotFoundHandler');
      setNotFoundHandler(node, chosen, readNotFoundDetails(isHandler ? {} : detailsOrHandler));
    });
    return this;
  }

  // ---- schemas

  addSchema(schema: unknown): this {
    const node = openNode(this, 'Cannot call "addSchema"!');
    locating(node, () => node.schemas.add(schema));
    return this;
  }

  getSchema(id: string): unknown {
    return nodeOf(this).schemas.get(id);
  }

  getSchemas(): Record<string, unknown> {
    return nodeOf(this).schemas.all();
  }

  setValidatorCompiler(compiler: ValidatorCompiler): this {
    const node = openNode(this, 'Cannot call "setValidatorCompiler"!');
    locating(node, () => checkFunction(compiler, 'setValidatorCompiler'));
    node.schemas.validatorCompiler = compiler;
    return this;
  }

  setSerializerCompiler(compiler: SerializerCompiler): this {
    const node = openNode(this, 'Cannot call "setSerializerCompiler"!');
    locating(node, () => checkFunction(compiler, 'setSerializerCompiler'));
    node.schemas.serializerCompiler = compiler;
    return this;
  }

  setSchemaErrorFormatter(formatter: SchemaErrorFormatter<Context>): this {
    const node = openNode(this, 'Cannot call "setSchemaErrorFormatter"!');
    locating(node, () => checkFormatter(formatter));
    node.settings.formatProblems = formatter.bind(this as unknown as Context);
    return this;
  }

  setSchemaController(options: SchemaControllerOptions): this {
    const node = openNode(this, 'Cannot call "setSchemaController"!');
    locating(node, () =>
      checkSchemaController(options, (problem) => OptionInvalid('setSchemaController', problem)),
    );
    if (options) node.schemas.setController(options);
    return this;
  }

  setReplySerializer(serialize: (payload: never, status: number) => string): this {
    const node = openNode(this, 'Cannot call "setReplySerializer"!');
    if (serialize) locating(node, () => checkFunction(serialize, 'setReplySerializer'));
    node.settings.replySerializer = serialize || undefined;
    return this;
  }

  get validatorCompiler(): ValidatorCompiler | undefined {
    return nodeOf(this).schemas.knownValidator;
  }

  get serializerCompiler(): SerializerCompiler | undefined {
    return nodeOf(this).schemas.knownSerializer;
  }

  // ---- errors and logs

  setErrorHandler(handler: ErrorHandler): this {
    const node = openNode(this, 'Cannot call "setErrorHandler"!');
    locating(node, () => checkErrorHandler(node, handler));
    node.errorHandlers.push(handler);
    return this;
  }

  get errorHandler(): ErrorHandler {
    const node = nodeOf(this);
    for (let owner: ContextNode | undefined = node; owner !== undefined; owner = owner.parent) {
      const handler = owner.errorHandlers.at(-1);
      if (handler !== undefined) return handler.bind(owner.api);
    }
    return node.app.defaultErrorHandler;
  }

  setChildLoggerFactory(factory: ChildLoggerFactory<Context>): this {
    const node = openNode(this, 'Cannot call "setChildLoggerFactory"!');
    locating(node, () => checkFunction(factory, 'setChildLoggerFactory'));
    node.settings.childLoggerFactory = factory;
    return this;
  }

  get childLoggerFactory(): ChildLoggerFactory<Context> {
    const node = nodeOf(this);
    return node.setting('childLoggerFactory') ?? node.app.defaultChildLoggerFactory;
  }

  setGenReqId(generate: (rawRequest: never) => string): this {
    const node = openNode(this, 'Cannot call "setGenReqId"!');
    if (generate) locating(node, () => checkFunction(generate, 'setGenReqId'));
    node.settings.makeRequestId = generate || undefined;
    return this;
  }

  get genReqId(): (rawRequest: never) => string {
    const node = nodeOf(this);
    return node.setting('makeRequestId') ?? node.app.defaultRequestId;
  }

  // ---- bodies

  addContentTypeParser(mediaType: unknown, optionsOrParser: unknown, parser?: unknown): this {
    const node = parserNode(this, 'addContentTypeParser');
    const isParser = typeof optionsOrParser === 'function';
    const options = (isParser ? {} : (optionsOrParser ?? {})) as ParserOptions;
    const given = isParser ? optionsOrParser : parser;
    const parse = typeof given === 'function' ? given.bind(this) : given;
    locating(node, () => {
      for (const type of Array.isArray(mediaType) ? mediaType : [mediaType]) {
        node.parsers.add(type, options, parse, node.app.options.bodyLimit);
      }
    });
    return this;
  }

  hasContentTypeParser(mediaType: string | RegExp): boolean {
    return nodeOf(this).parsers.has(mediaType);
  }

  removeContentTypeParser(mediaType: string | RegExp | (string | RegExp)[]): void {
    const { parsers } = parserNode(this, 'removeContentTypeParser');
    for (const type of Array.isArray(mediaType) ? mediaType : [mediaType]) parsers.remove(type);
  }

  removeAllContentTypeParsers(): void {
    parserNode(this, 'removeAllContentTypeParsers').parsers.removeAll();
  }

  getDefaultJsonParser(onProto: PoisoningAction, onConstructor: PoisoningAction): CollectedParser<string> {
    return asParser(makeJsonReader(onProto, onConstructor));
  }

  get defaultTextParser(): CollectedParser<string> {
    return defaultTextParser;
  }

  // ---- serving

  listen(
    optionsOrListener: ListenOptions | Callback = {},
    listener?: (error: Error | null, address: string) => void,
  ): Promise<string | undefined> | undefined {
    const node = nodeOf(this);
    const { app } = node;
    const isListener = typeof optionsOrListener === 'function';
    const callback = isListener ? (optionsOrListener as typeof listener) : listener;
    if (isAsyncFunction(callback)) warnMixedStyles('listen method');
    const options = isListener ? {} : optionsOrListener;
    locating(node, () => checkListenOptions(options, app.options.hasOwnServer));
    const listening = app.listen(options, callback);
    if (callback === undefined) return listening;
    listening.catch((error) => callback(error, null as never));
    return undefined;
  }

  addresses(): AddressInfo[] {
    return nodeOf(this).app.addresses();
  }

  get listeningOrigin(): string {
    const address: AddressInfo | string = this.addresses().at(-1)!;
    if (typeof address === 'string') return address;
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    const scheme = this.initialConfig.https ? 'https' : 'http';
    return `${scheme}://${host}:${address.port}`;
  }

  inject(options?: never, callback?: Callback): unknown {
    return nodeOf(this).app.inject(options, callback as never);
  }
}

/** Shortcuts are properties like any other method: plugins replace and wrap them. */
function makeShortcut(
  method: string,
): (this: object, url: unknown, details: unknown, handler?: unknown) => object {
  return function shortcut(url, details, handler) {
    const node = nodeOf(this);
    declareRoute(
      node,
      locating(node, () => readShortcut(method, url, details, handler)),
    );
    return this;
  };
}

for (const method of [...bodylessMethods, ...bodyMethods]) {
  Object.defineProperty(RootContext.prototype, method.toLowerCase(), {
    value: makeShortcut(method),
    writable: true,
    configurable: true,
  });
}

function addDecorator<This extends object>(
  context: This,
  table: AnyDecoratorTable,
  name: DecoratorName,
  value: unknown,
  dependencies: unknown,
): This {
  const node = nodeOf(context);
  if (node.app.isStarted) throw new DecoratorAfterStart(String(name));
  locating(node, () => table.add(name, value, dependencies));
  return context;
}

function addHook(context: Context, node: ContextNode, name: string, hook: AnyHook): void {
  const { boot } = node.app;
  if (hook === undefined || hook === null) throw new HookHandlerInvalid(name, String(hook));
  checkHookStyle(name as TableHookName, hook);
  if (name === 'onClose') {
    boot.onClose(context, disposalHook(hook));
    return;
  }
  checkHook(name, hook);
  if (deferredHooks.has(name)) boot.after(context, () => node.hooks.add(name as TableHookName, hook));
  else node.hooks.add(name as TableHookName, hook);
}

function checkErrorHandler(node: ContextNode, handler: unknown): void {
  if (typeof handler !== 'function') throw new ErrorHandlerNotFunction();
  if (node.errorHandlers.length === 0) return;
  if (!node.app.options.allowErrorHandlerOverride) throw new ErrorHandlerAlreadySet();
  warnErrorHandlerOverridden();
}

function parserNode(context: object, call: string): ContextNode {
  const node = nodeOf(context);
  if (node.app.isStarted) throw new ParserAfterStart(call);
  return node;
}
