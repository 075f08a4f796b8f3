/** Creates an application from its options, and connects the layers: transport, dispatcher, boot, closing and schemas. */

import { channel } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { compilePlans, printedDetails, withHookNames } from './compile/compile-route.ts';
import type { AppState } from './context/app-state.ts';
import { Boot } from './context/boot/boot.ts';
import { Closing } from './context/closing/closing.ts';
import { openRoot } from './context/context.ts';
import { openLog } from './context/loggers.ts';
import { wrapOptionError } from './context/options/check-options.ts';
import { type ResolvedOptions, resolveOptions } from './context/options/resolve-options.ts';
import type { Router } from './routing/router.ts';
import { Dispatcher, makeRequestNumbers } from './runtime/dispatcher.ts';
import { defaultErrorHandler, defaultNotFoundHandler } from './runtime/error-reply.ts';
import { requestIdText } from './runtime/exchange.ts';
import { replyBase } from './runtime/reply.ts';
import { compileTrustProxy, requestBase } from './runtime/request.ts';
import { UnansweredRequests } from './runtime/unanswered-requests.ts';
import { UnfinishedRequests } from './runtime/unfinished-requests.ts';
import { SchemaEngines, warnOfChange } from './schemas/schema-engines.ts';
import { CallSite, withErrorPlace } from './shared/call-site.ts';
import { toEcosystemError } from './shared/define-error.ts';
import { addFrameworkFolder } from './shared/framework-files.ts';
import { clientErrorListener } from './transport/client-error.ts';
import { makeTransport } from './transport/node-transport.ts';
import { exchangeOver } from './transport/transport.ts';
import { UnconnectedRequests } from './transport/unconnected-requests.ts';
import type { Context } from './types/context.ts';
import { ambitFlavor, type ErrorTranslator, type Flavor } from './types/flavor.ts';
import type { ErrorHandler } from './types/hooks.ts';
import type { AmbitOptions } from './types/options.ts';
import type { ServerState, UnansweredMonitor } from './types/plan.ts';

const initializationChannel = channel('fastify.initialization');

/**
 * Creates an application.
 *
 * @param options Every option has a default.
 * @param flavor For facades: the name, version and compatibility of the application.
 * @returns The root context.
 * @throws {AMBIT_ERR_UNKNOWN_OPTION} for an option that does not exist, with the nearest name that does.
 * @throws {FST_ERR_INIT_OPTS_INVALID} for an option whose value is wrong; some options have codes of their own.
 */
export function ambit(options?: AmbitOptions, flavor: Flavor = ambitFlavor): Context {
  if (flavor.module !== undefined) addFrameworkFolder(flavor.module);
  const { compatibility } = flavor;
  const translateError: ErrorTranslator =
    compatibility.messages === 'fastify' ? toEcosystemError : (error) => error;
  const root = withErrorPlace(
    () => connect(resolveOptions(options, compatibility), flavor, translateError),
    () => ({ plugin: flavor.name, file: new CallSite().file }),
    translateError,
  );
  if (flavor.interceptors) flavor.interceptors.publish(root);
  else if (initializationChannel.hasSubscribers === true) initializationChannel.publish({ fastify: root });
  return root;
}

function connect(options: ResolvedOptions, flavor: Flavor, translateError: ErrorTranslator): Context {
  const { userOptions } = options;
  const { compatibility } = flavor;

  const engines = new SchemaEngines({
    ajv: { ...options.ajv, ...(options.isDevelopment && { reportsAll: true }) },
    serializer: userOptions.serializerOpts,
    compile: userOptions.compile,
    compiled: userOptions.compiled,
    openApiWords: compatibility.openApiWords,
  });
  const compilesInBackground = userOptions.compile === 'background';

  const routerOptions = {
    buildPrettyMeta: ({ store }: { store: unknown }) => printedDetails(store as never),
    ...options.router,
  };
  const dispatcher = wrapOptionError(
    'routerOptions',
    () =>
      new Dispatcher(routerOptions, {
        rewriteUrl: userOptions.rewriteUrl || undefined,
        frameworkErrors: userOptions.frameworkErrors as ErrorHandler | undefined,
        translateError,
        isDevelopment: options.isDevelopment,
        root: () => root.api,
        whenReady: () => boot.whenReady(),
      }),
  );
  const { router, dispatch } = dispatcher;

  const boot = new Boot({
    root: () => root,
    compatibility,
    translateError,
    timeoutMs: options.pluginTimeout,
    onLoaded: () => {
      engines.checkVersions(root.path);
      compilePlans(root, dispatcher, options.router.compile === true);
      engines.artifact?.endBoot();
      // The last listener runs first: connections end before plugins dispose of the resources that serve them.
      boot.onShutDown(root.api, () => closing().shutDown());
    },
  });
  const logging = openLog(userOptions, compatibility);
  /** For lines that belong to no request. Its methods never throw. */
  const log = logging.logWriter.guard(logging.log);

  const serializationListeners: AppState['serializationListeners'] =
    options.reportSerialization && logging.hasLogger ? [(change) => warnOfChange(logging.log, change)] : [];

  const server = makeServerState(options, flavor, translateError, logging.hasLogger, router);

  const transport = makeTransport(options, {
    dispatch,
    whenReady: () => boot.whenReady(),
    close: () => closing().close(),
    closeUnattended: () =>
      void closing()
        .close()
        .catch((error) => log.error({ err: error }, 'the application could not close in order')),
    announce: (text) => log.info(text),
  });
  const closing = once(
    () =>
      new Closing({
        server,
        transport,
        boot,
        log,
        findRunning: () => new UnfinishedRequests(transport, log),
        stopCompiling: () => compilesInBackground && engines.queue.stop(),
      }),
  );

  const unconnected = once(
    () =>
      new UnconnectedRequests({
        transport,
        userOptions,
        closing: closing(),
        boot,
        format: userOptions.errors ?? 'json',
        path: root.path,
        translateError,
        dispatch,
      }),
  );

  const nextRequestNumber = makeRequestNumbers();
  const app: AppState = {
    ...logging,
    options,
    flavor,
    compatibility,
    translateError,
    router,
    boot,
    closing,
    server,
    serializationListeners,
    root: undefined as never,
    requestBase,
    replyBase,
    compilerFactories: engines.factories(serializationListeners),
    defaultErrorHandler: defaultErrorHandler as ErrorHandler,
    defaultNotFoundHandler,
    nextRequestNumber,
    defaultRequestId: () => requestIdText(nextRequestNumber()),
    compileSchemas: () => engines.writeArtifact(() => boot.whenReady()),
    // The `onListen` hooks run after the listener, and before code that awaits the promise.
    listen: async (listenOptions, listener) => {
      const address = await transport.listen(listenOptions);
      if (address === undefined) return undefined;
      unconnected().hasServed = true;
      listener?.(null, address);
      boot.runListenHooks(log);
      if (compilesInBackground)
        engines.queue.start((error) =>
          log.error({ err: error }, 'a schema could not be compiled in the background'),
        );
      return address;
    },
    addresses: () => transport.addresses(),
    dispatch,
    routing: (rawRequest, rawResponse) => transport.handle(rawRequest as never, rawResponse as never),
    replyTo: (rawRequest, rawResponse) =>
      dispatcher.replyTo(exchangeOver(rawRequest as never, rawResponse as never)),
    inject: (injectOptions, callback) => unconnected().inject(injectOptions, callback),
    fetch: (request, context, execution) => unconnected().fetch(request, context, execution),
    findRoute: (method, url, constraints) => dispatcher.find(method, url, constraints),
    printRoutes: (printOptions) => router.print(withHookNames(printOptions)),
  };

  const root = openRoot(app, transport.server, options);
  transport.server.on('clientError', (error: Error, socket: Socket) => {
    const handler = userOptions.clientErrorHandler?.bind(root.api as never);
    clientErrorListener(handler, log, userOptions.errors ?? 'json')(error, socket);
  });
  return root.api;
}

/** The state of the server when the application is created. */
function makeServerState(
  { isProduction, isDevelopment, return503OnClosing, userOptions }: ResolvedOptions,
  { compatibility }: Flavor,
  translateError: ErrorTranslator,
  hasLogger: boolean,
  router: Router,
): ServerState {
  const { trustProxy } = userOptions;
  const monitor = once(() => new UnansweredRequests());
  const unanswered: UnansweredMonitor = {
    add: (x, responseEpoch, isPending) => monitor().add(x, responseEpoch, isPending),
  };
  return {
    isStopping: false,
    isClosing: false,
    isDraining: false,
    mayStayOpen: undefined,
    unanswered: isProduction ? undefined : unanswered,
    unansweredErrors: unanswered,
    isProduction,
    isDevelopment,
    sendsErrorsAsFastify: compatibility.messages === 'fastify',
    hasLogger,
    hasWarnedOfHiddenError: false,
    translateError,
    streams: undefined,
    return503OnClosing,
    watchers: [],
    isTrustedProxy: trustProxy
      ? wrapOptionError('trustProxy', () => compileTrustProxy(trustProxy))
      : undefined,
    hasVersionConstraint: () => router.hasConstraint('version'),
    canonicalPath: (url) => router.canonicalPath(url),
  };
}

/** Creates something when it is first needed. */
function once<T>(create: () => T): () => T {
  let created: T | undefined;
  return () => {
    created ??= create();
    return created;
  };
}
