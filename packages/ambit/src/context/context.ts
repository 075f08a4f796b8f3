/**
 * The object that plugins get, and its methods for plugins and the server; those for hooks, decorators, parsers and so on are in the file of
 * their concept. Children inherit from it, so decorators and replaced methods are visible as properties in children.
 */

import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo, isIPv6 } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeWebStream } from 'node:stream/web';
import { addPlace, CallSite } from '../shared/call-site.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import { callMethods, fillPath, isSentAsJson, toFieldText, toJson, toTexts } from '../shared/typed-calls.ts';
import { isAsyncFunction, isNodeStream } from '../shared/values.ts';
import type { Context } from '../types/context.ts';
import { ListenOptionsInvalid } from '../types/errors.ts';
import type { ReadinessCheckFunction } from '../types/feature-options.ts';
import type { Inject, InjectOptions } from '../types/inject.ts';
import type { Logger } from '../types/logger.ts';
import type { FetchExecution, ListenOptions } from '../types/options.ts';
import { warnMixedStyles } from '../types/warnings.ts';
import type { AppState, ListenCallback } from './app-state.ts';
import { close } from './closing/closing.ts';
import { ContextNode } from './context-node.ts';
import { settingMethods } from './context-settings.ts';
import { decoratorMethods } from './decorators.ts';
import { type ContextMethods, changeContext, nodeOf, withContextPlace } from './definitions.ts';
import { errorMethods } from './error-handlers.ts';
import { hookMethods } from './hooks.ts';
import { checkFunction, checkNames, checkTypes, type OptionTypes, typeOf } from './options/check-options.ts';
import type { ResolvedOptions } from './options/resolve-options.ts';
import { makeJsonReader, parserMethods, readText } from './parsers.ts';
import { routeMethods } from './routes/shortcuts.ts';

const require = createRequire(import.meta.url);

const loadHealth = lazyModule<typeof import('./health.ts')>(() => require('./health.ts'));

/** Opens the root context of an application, with its defaults: the parsers of JSON and text, and settings from the options. */
export function openRoot(
  app: AppState,
  server: Server,
  { bodyLimit, overload, userOptions }: ResolvedOptions,
): ContextNode {
  const api = new RootContext(app, server) as unknown as Context;
  (app as { root: Context }).root = api;
  const { name } = app.flavor;
  const node = new ContextNode(app, api, { inPluginName: name, inPath: name });
  const { parsers, settings } = node;
  const { onProtoPoisoning = 'error', onConstructorPoisoning = 'error' } = userOptions;
  parsers.addBuiltIn('application/json', bodyLimit, makeJsonReader(onProtoPoisoning, onConstructorPoisoning));
  parsers.addBuiltIn('text/plain', bodyLimit, readText);
  const { schemaErrorFormatter, childLoggerFactory, genReqId, errors, responses, health } = userOptions;
  if (errors) settings.errorFormat = errors;
  if (responses) settings.responses = responses;
  settings.overload = overload;
  if (schemaErrorFormatter) settings.formatProblems = schemaErrorFormatter.bind(api);
  if (childLoggerFactory) settings.childLoggerFactory = childLoggerFactory;
  if (genReqId) settings.makeRequestId = genReqId as (rawRequest: never) => string;
  if (health) loadHealth().addHealthRoutes(node, health);
  return node;
}

class RootContext {
  log: Logger;
  server: Server;
  initialConfig: Readonly<Record<string, unknown>>;
  routing: (rawRequest: unknown, rawResponse: unknown) => void;
  inject: Inject;
  /** A property, not a method, because runtimes call the function without its context. */
  fetch: (request: Request, context?: unknown, execution?: FetchExecution) => Promise<Response>;

  /** A property, not a method, because it is often passed as a function: `process.once('SIGTERM', app.close)`. */
  close: (optionsOrListener?: unknown) => this | Promise<void> | Promise<number>;

  constructor(app: AppState, server: Server) {
    this.log = app.log;
    this.server = server;
    this.initialConfig = app.options.initialConfig;
    this.routing = app.routing;
    this.inject = makeInject(app);
    this.fetch = app.fetch;
    this.close = (optionsOrListener) => close(this, app, optionsOrListener);
  }

  get pluginName(): string {
    return nodeOf(this).pluginNames.join(' -> ');
  }

  get prefix(): string {
    return nodeOf(this).prefix;
  }

  get version(): string {
    return nodeOf(this).app.flavor.version;
  }

  // biome-ignore lint/suspicious/noThenProperty: `await app.register(…)` waits until the plugin has loaded.
  get then(): PromiseLike<Context>['then'] | undefined {
    return nodeOf(this).app.boot.thenOf(this as never);
  }

  /** Changes the TypeScript types only: at run time it has no effect. */
  withTypeProvider(): this {
    return this;
  }
}

type Callback = (...args: never[]) => unknown;

const pluginAndServerMethods: ContextMethods = {
  register(plugin: unknown, options: unknown) {
    const node = nodeOf(this);
    withContextPlace(node, () => node.app.boot.register(plugin, options, node));
    return this;
  },

  after(listener) {
    const node = nodeOf(this);
    const { boot, compatibility } = node.app;
    if (listener != null && compatibility.checksDeclarations)
      withContextPlace(node, () => checkFunction(listener, 'after'));
    if (typeof listener !== 'function') return boot.wait();
    withContextPlace(node, () => boot.after(this, listener, new CallSite()));
    return this;
  },

  ready(listener) {
    const node = nodeOf(this);
    const { app, parent } = node;
    if (listener != null) withContextPlace(node, () => checkFunction(listener, 'ready'));
    if (parent !== undefined && app.compatibility.readyInPlugin === 'load')
      return app.boot.whenLoaded(this, listener as Callback | undefined);
    const ready =
      parent === undefined ? app.boot.whenReady() : app.boot.whenReadyInPlugins().then(() => this);
    if (listener == null) return ready;
    ready.then((context) => listener(null, context), listener);
    return undefined;
  },

  hasPlugin(name) {
    return nodeOf(this).isRegistered(name);
  },

  printPlugins() {
    return nodeOf(this).app.boot.print();
  },

  /** @returns A promise of the address; `undefined` if a callback gets it. */
  listen(optionsOrCallback: unknown, callbackAfterOptions?: unknown) {
    const node = nodeOf(this);
    const { app } = node;
    const isCallback = typeof optionsOrCallback === 'function';
    const callback = (isCallback ? optionsOrCallback : callbackAfterOptions) as ListenCallback | undefined;
    if (isAsyncFunction(callback)) warnMixedStyles(app.compatibility.messages, 'listen method');
    const options = isCallback || optionsOrCallback === undefined ? {} : optionsOrCallback;
    const site = new CallSite();
    withContextPlace(node, () =>
      checkListenOptions(options, app.options.userOptions.serverFactory !== undefined),
    );
    const listening = app.listen(options as ListenOptions, callback).catch((error) => {
      addPlace(error, () => ({ plugin: node.path, file: site.file }));
      throw app.translateError(error);
    });
    if (callback === undefined) return listening;
    listening.catch((error) => callback(error, null as never));
    return undefined;
  },

  addresses() {
    return nodeOf(this).app.addresses();
  },

  get listeningOrigin() {
    const { app } = nodeOf(this);
    return originOf(app.addresses().at(-1)!, app.options.initialConfig.https ? 'https' : 'http');
  },

  [Symbol.asyncDispose]() {
    return nodeOf(this).app.closing().close();
  },

  addReadinessCheck(name, check, options) {
    return changeContext(this, 'addReadinessCheck', (node) =>
      loadHealth().addReadinessCheck(node, name, check as ReadinessCheckFunction, options),
    );
  },
};

const concepts = [hookMethods, decoratorMethods, errorMethods, parserMethods, settingMethods, routeMethods];
for (const methods of [pluginAndServerMethods, ...concepts]) {
  for (const name of Reflect.ownKeys(methods)) {
    const descriptor = Object.getOwnPropertyDescriptor(methods, name)!;
    Object.defineProperty(RootContext.prototype, name, { ...descriptor, enumerable: false });
  }
}

/** The origin of URLs at an address. The path of a UNIX socket is returned as it is. */
function originOf(address: AddressInfo | string, scheme: 'http' | 'https'): string {
  if (typeof address === 'string') return address;
  const host = isIPv6(address.address) ? `[${address.address}]` : address.address;
  return `${scheme}://${host}:${address.port}`;
}

const nodeTypes: OptionTypes = {
  port: ['number', 'string'],
  host: ['string'],
  path: ['string'],
  backlog: ['number', 'string'],
  exclusive: ['boolean'],
  readableAll: ['boolean'],
  writableAll: ['boolean'],
  ipv6Only: ['boolean'],
  reusePort: ['boolean'],
  fd: ['number'],
};

/** @param isOwnServer Whether the application creates its server itself: the server may have listen options of its own. */
function checkListenOptions(options: unknown, isOwnServer: boolean): void {
  if (typeof options !== 'object' || options === null)
    throw ListenOptionsInvalid.at(
      typeof options === 'number' ? { hint: `pass an object: { port: ${options} }` } : {},
      `options must be object, instead got ${typeOf(options)}`,
    );
  checkTypes(options, { listenTextResolver: ['function'] }, ListenOptionsInvalid);
  const { signal } = options as { signal?: { addEventListener?: unknown } | null };
  if (signal != null && typeof signal.addEventListener !== 'function') {
    throw new ListenOptionsInvalid('Invalid options.signal');
  }
  if (isOwnServer) return;
  checkNames(options, ['listenTextResolver', ...Object.keys(nodeTypes), 'signal'], 'listen');
  checkTypes(options, nodeTypes, ListenOptionsInvalid);
}

interface Call extends Omit<InjectOptions, 'query' | 'body' | 'payload' | 'headers'> {
  params?: Record<string, unknown>;
  query?: string | Record<string, unknown>;
  headers?: Record<string, unknown>;
  body?: unknown;
}

/** `app.inject` is a function that takes any request, and has one method per HTTP method for typed calls. */
function makeInject(app: AppState): Inject {
  const inject = (options?: never, callback?: never): unknown => app.inject(options, callback);
  const makeCall =
    (method: string) =>
    async (path: string, { params, query = {}, body, headers = {}, ...rest }: Call = {}): Promise<unknown> =>
      app.inject({
        ...rest,
        method,
        url: fillPath(path, params),
        query: typeof query === 'string' ? query : toFields(toTexts(query)),
        ...withBody(body, toFields(toTexts(headers, toFieldText))),
      });
  const calls = callMethods.map((name) => [name, makeCall(name.toUpperCase())]);
  return Object.assign(inject, Object.fromEntries(calls)) as unknown as Inject;
}

type Fields = Record<string, string | string[]>;

function toFields(entries: [name: string, texts: string[]][]): Fields {
  const fields: Fields = {};
  for (const [name, [first, ...more]] of entries)
    if (first !== undefined) fields[name] = more.length > 0 ? [first, ...more] : first;
  return fields;
}

/** The body and its headers as a client would send them. */
function withBody(body: unknown, headers: Fields): InjectOptions {
  if (body === undefined) return { headers };
  const contentTypeName = Object.keys(headers).find((name) => name.toLowerCase() === 'content-type');
  const withType = (type: string | null): Fields =>
    contentTypeName !== undefined || type === null ? headers : { ...headers, 'content-type': type };
  if (isNodeStream(Object(body))) return { headers, payload: body as Readable };
  if (isSentAsJson(body, contentTypeName && String(headers[contentTypeName])))
    return { headers: withType('application/json'), payload: toJson(body) };
  const webResponse = new Response(body as NonNullable<ConstructorParameters<typeof Response>[0]>);
  return {
    headers: withType(webResponse.headers.get('content-type')),
    payload: typeof body === 'string' ? body : Readable.fromWeb(webResponse.body as NodeWebStream),
  };
}
