/** Creates an application from its options, and connects the layers: transport, dispatcher, boot, closing and schemas. */

import { channel } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import { compilePlans, printedDetails, withHookNames } from './compile/compile-route.ts';
import { type AppState, makeServerState, type Services } from './context/app-state.ts';
import { Lifecycle } from './context/boot/application.ts';
import { Boot } from './context/boot/boot.ts';
import { Closing } from './context/closing/closing.ts';
import { openRoot } from './context/context.ts';
import { type ContextNode, nodeOf } from './context/context-node.ts';
import { openLog } from './context/loggers.ts';
import { wrapOptionError } from './context/options/check-options.ts';
import { type ResolvedOptions, resolveOptions } from './context/options/resolve-options.ts';
import { Dispatcher, makeRequestNumbers } from './runtime/dispatcher.ts';
import { defaultErrorHandler } from './runtime/error-reply.ts';
import { requestIdText } from './runtime/exchange.ts';
import { defaultNotFoundHandler } from './runtime/not-found.ts';
import { replyBase } from './runtime/reply.ts';
import { compileTrustProxy, requestBase } from './runtime/request.ts';
import { UnansweredRequests } from './runtime/unanswered-requests.ts';
import { UnfinishedRequests } from './runtime/unfinished-requests.ts';
import { SchemaEngines, warnOfChange } from './schemas/schema-engines.ts';
import { CallSite, withErrorPlace } from './shared/call-site.ts';
import { lazyModule } from './shared/lazy-module.ts';
import { addOwnFolder } from './shared/own-files.ts';
import { clientErrorListener } from './transport/client-error.ts';
import { makeTransport } from './transport/make-transport.ts';
import { exchangeOver, type Transport } from './transport/transport.ts';
import { UnconnectedRequests } from './transport/unconnected-requests.ts';
import type { Context } from './types/context.ts';
import { ambitFlavor, errorTranslatorFor, type Flavor } from './types/flavor.ts';
import type { ErrorHandler } from './types/hooks.ts';
import type { Logger } from './types/logger.ts';
import type { AmbitOptions } from './types/options.ts';

const require = createRequire(import.meta.url);

const loadArtifactWriter = lazyModule<typeof import('./schemas/write-artifact.ts')>(() =>
  require('./schemas/write-artifact.ts'),
);

const initializationChannel = channel('fastify.initialization');

/** Creates an application, and returns its root context. */
export function createApp(userOptions: AmbitOptions | undefined, flavor: Flavor = ambitFlavor): Context {
  if (flavor.module !== undefined) addOwnFolder(flavor.module);
  const { compatibility } = flavor;
  const application = withErrorPlace(
    () => new Application(resolveOptions(userOptions, compatibility), flavor),
    () => ({ plugin: flavor.name, file: new CallSite().location }),
    errorTranslatorFor(compatibility),
  );
  if (flavor.interceptors) flavor.interceptors.publish(application.root);
  else if (initializationChannel.hasSubscribers === true)
    initializationChannel.publish({ fastify: application.root });
  return application.root;
}

class Application {
  readonly root: Context;
  readonly #options: ResolvedOptions;
  readonly #dispatcher: Dispatcher;
  readonly #boot: Boot;
  readonly #transport: Transport;
  readonly #node: ContextNode;
  readonly #state: AppState;
  /** For lines that belong to no request. Its methods never throw. */
  readonly #log: Logger;
  readonly #lifecycle: Lifecycle;
  readonly #closing: Closing;
  readonly #engines: SchemaEngines;
  readonly #unconnected: UnconnectedRequests;

  constructor(options: ResolvedOptions, flavor: Flavor) {
    this.#options = options;
    const { userOptions } = options;
    const translateError = errorTranslatorFor(flavor.compatibility);
    this.#engines = new SchemaEngines({
      ajv: options.ajv,
      serializer: userOptions.serializerOpts,
      compile: userOptions.compile,
      compiled: options.compiled,
      openApiWords: flavor.compatibility.openApiWords,
    });
    const routerOptions = {
      buildPrettyMeta: ({ store }: { store: unknown }) => printedDetails(store as never),
      ...options.router,
    };
    this.#dispatcher = wrapOptionError(
      'routerOptions',
      () =>
        new Dispatcher(routerOptions, {
          rewriteUrl: userOptions.rewriteUrl || undefined,
          frameworkErrors: userOptions.frameworkErrors as ErrorHandler | undefined,
          translateError,
          root: () => this.root,
          whenReady: () => this.#lifecycle.whenReady(),
        }),
    );
    this.#boot = new Boot({
      root: () => this.root,
      compatibility: flavor.compatibility,
      timeoutMs: options.pluginTimeout,
      translateError,
      onLoaded: () => this.#compile(),
      onStarted: () => {
        this.#state.isStarted = true;
      },
    });
    this.#state = this.#makeState(flavor);
    this.#log = this.#state.logWriter.guard(this.#state.log);
    this.#transport = this.#makeTransport();
    this.#node = openRoot(this.#state, this.#transport.server, options);
    this.root = this.#node.api;
    this.#lifecycle = new Lifecycle(this.#boot, this.#node, options.pluginTimeout, this.#log);
    this.#closing = this.#makeClosing();
    this.#unconnected = this.#makeUnconnected();
    const onClientError = userOptions.clientErrorHandler?.bind(this.root as never);
    this.#transport.server.on(
      'clientError',
      clientErrorListener(onClientError, this.#log, userOptions.errors ?? 'json') as never,
    );
  }

  #makeState(flavor: Flavor): AppState {
    const options = this.#options;
    const { compatibility } = flavor;
    const { userOptions } = options;
    const logging = openLog(userOptions, compatibility);
    const { log, hasLogger } = logging;
    const serializationListeners: AppState['serializationListeners'] =
      options.reportSerialization && hasLogger ? [(change) => warnOfChange(log, change)] : [];
    const { router } = this.#dispatcher;
    return {
      ...this.#services(),
      options,
      flavor,
      compatibility,
      ...logging,
      router,
      boot: this.#boot,
      translateError: errorTranslatorFor(compatibility),
      server: makeServerState(options, compatibility, {
        hasLogger,
        router,
        unanswered: new UnansweredRequests(),
        isTrustedProxy: wrapOptionError('trustProxy', () => compileTrustProxy(userOptions.trustProxy)),
      }),
      requestBase,
      replyBase,
      compilerFactories: this.#engines.factories(serializationListeners),
      serializationListeners,
      root: undefined as never,
      isStarted: false,
    };
  }

  /** The functions of higher layers that contexts use. */
  #services(): Services {
    const nextRequestNumber = makeRequestNumbers();
    return {
      defaultErrorHandler: defaultErrorHandler as ErrorHandler,
      defaultNotFoundHandler,
      nextRequestNumber,
      defaultRequestId: () => requestIdText(nextRequestNumber()),
      whenBooted: () => this.#lifecycle.whenBooted(),
      whenReady: () => this.#lifecycle.whenReady(),
      close: () => this.#closing.close(),
      closeGracefully: (options) => this.#closing.closeGracefully(options),
      compileSchemas: () => this.#compileSchemas(),
      listen: (options, listener) => this.#listen(options, listener),
      addresses: () => this.#transport.addresses(),
      drain: (graceMs) => this.#closing.drain(graceMs),
      dispatch: this.#dispatcher.dispatch,
      routing: (rawRequest, rawResponse) => this.#transport.handle(rawRequest as never, rawResponse as never),
      replyTo: (rawRequest, rawResponse) =>
        this.#dispatcher.replyTo(exchangeOver(rawRequest as never, rawResponse as never)),
      inject: (options, callback) => this.#unconnected.inject(options, callback),
      fetch: (request, context, execution) => this.#unconnected.fetch(request, context, execution),
      findRoute: (method, url, constraints) => this.#dispatcher.find(method, url, constraints),
      printRoutes: (options) => this.#dispatcher.router.print(withHookNames(options)),
    };
  }

  #makeTransport(): Transport {
    return makeTransport(this.#options, {
      dispatch: this.#dispatcher.dispatch,
      whenReady: () => this.#lifecycle.whenReady(),
      close: () => this.#closing.close(),
      closeUnattended: () =>
        void this.#closing
          .close()
          .catch((error) => this.#log.error({ err: error }, 'the application could not close in order')),
      announce: (text) => this.#log.info(text),
    });
  }

  #makeClosing(): Closing {
    const log = { log: this.#log, pathOf: (context: Context) => nodeOf(context).path };
    return new Closing({
      server: this.#state.server,
      transport: this.#transport,
      boot: this.#boot,
      lifecycle: this.#lifecycle,
      findRunning: () => new UnfinishedRequests(this.#transport, log),
      stopCompiling: () => this.#engines.queue.stop(),
    });
  }

  #makeUnconnected(): UnconnectedRequests {
    return new UnconnectedRequests({
      transport: this.#transport,
      userOptions: this.#options.userOptions,
      closing: this.#closing,
      lifecycle: this.#lifecycle,
      format: this.#options.userOptions.errors ?? 'json',
      path: this.#node.path,
      translateError: this.#state.translateError,
      dispatch: this.#dispatcher.dispatch,
    });
  }

  async #compileSchemas(): Promise<string> {
    // The module in the option `compiled` is about to be replaced, so it must not fail boot if it is stale.
    this.#engines.artifact.ignore();
    await this.#lifecycle.whenReady();
    return loadArtifactWriter().writeArtifact(this.#engines.artifact);
  }

  #compile(): void {
    this.#engines.checkVersions(this.#node.path);
    compilePlans(this.#node, this.#dispatcher, this.#options.router.compile === true);
    this.#engines.endBoot();
    // The last listener runs first: connections end before plugins dispose of the resources that serve them.
    this.#boot.onShutDown(this.root, () => this.#closing.shutDown());
  }

  /** The `onListen` hooks run after the listener, and before code that awaits the promise. */
  async #listen(...[listenOptions, listener]: Parameters<AppState['listen']>): Promise<string | undefined> {
    const address = await this.#transport.listen(listenOptions);
    if (address === undefined) return undefined;
    this.#unconnected.hasServed = true;
    listener?.(null, address);
    this.#lifecycle.runListenHooks();
    this.#engines.queue.start((error) =>
      this.#log.error({ err: error }, 'a schema could not be compiled in the background'),
    );
    return address;
  }
}
