/** Attaches the engine to a server, and detaches it. */
import { AsyncResource } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { type Counters, MutableCounters, ServerEngine } from './engine.ts';
import type { Exchange } from './exchange.ts';
import type { ConnectionState } from './limits.ts';
import { defaultMethods } from './read-head.ts';
import type { HandOverReason, WatchReason } from './reasons.ts';
import { type ConnectionListener, nodeListener } from './runtime-internals.ts';
import { connectionOf } from './socket-listeners.ts';
import { hasValidHost, ParsedByNode, takeTargetHost } from './through-node.ts';

/** The options of `attach`. */
export interface AttachOptions {
  /** Methods that the engine serves; node serves requests with other methods. Default: the seven usual ones. */
  readonly methods?: readonly string[];
  /**
   * The listener of the server's `request` event, for connections that node serves. Without it, `attach` adds a
   * listener that calls `onRequest`.
   */
  readonly requestListener?: RequestListener;
  /**
   * Whether `server.close` keeps connections that are not idle until their clients end them, as `node:http` alone does. Default: `false`:
   * each one ends after its next response.
   */
  readonly keepsWhenClosing?: boolean;
  /** Called with each connection that goes to node, and the reason. */
  readonly onHandOver?: (reason: HandOverReason, socket: Socket) => void;
  /** An engine whose counters also count what this one does, for an application with several servers. Default: counters of its own. */
  readonly countsWith?: Engine | undefined;
}

/** An engine that is attached to a server. */
export interface Engine {
  /** How much the engine served, and why node served the rest. */
  readonly counters: Counters;
  /**
   * From now on, each response announces the end of its connection, and ends it, unless further requests wait. `server.close` calls this.
   */
  startClosing(): void;
  /**
   * Returns what a connection is doing.
   *
   * @param socket The socket of the connection, as the server's event `connection` or `secureConnection` passed it.
   * @returns `undefined` if the engine does not serve the connection.
   */
  stateOf(socket: Socket): ConnectionState | undefined;
  /**
   * Lists the requests of a connection that have no complete response yet, in their order.
   *
   * @param socket The socket of the connection.
   * @returns An empty array if the engine does not serve the connection.
   */
  exchangesOf(socket: Socket): readonly Exchange[];
  /** Restores node's own listener. The engine keeps the connections that it serves. */
  detach(): void;
}

const engines: WeakMap<object, Engine> = new WeakMap();

/**
 * Finds the engine that is attached to a server, for example to read its counters.
 *
 * @param server The server.
 * @returns `undefined` if the server has no engine.
 */
export function engineOf(server: object): Engine | undefined {
  return engines.get(server);
}

/**
 * Puts the engine in front of a server of `node:http` or `node:https`.
 *
 * @param server The server.
 * @param onRequest Called with each request, whoever serves its connection.
 * @param options Which methods the engine serves, and what responds to requests on connections that node serves.
 * @returns The engine.
 * @throws {TypeError} if the server is not node's, or has an engine already.
 */
export function attach(
  server: Server,
  onRequest: (exchange: Exchange) => void,
  options: AttachOptions = {},
): Engine {
  const event = ['connection', 'secureConnection'].find((name) =>
    server.listeners(name).includes(nodeListener as () => void),
  );
  // If this version of node has no such listener, node serves all connections.
  if (engines.has(server) || (event === undefined && nodeListener !== undefined))
    throw new TypeError('the server has no connection listener of node:http');
  const requestListener: RequestListener =
    options.requestListener ??
    ((request, response) => {
      // As the engine does: an async context that a handler enters must not be visible in the next request of the connection.
      if (hasValidHost(request) && takeTargetHost(request))
        new AsyncResource('HTTPSERVERREQUEST').runInAsyncScope(
          onRequest,
          undefined,
          new ParsedByNode(request, response),
        );
      else response.writeHead(400, { connection: 'close', 'content-length': 0 }).end();
    });
  if (options.requestListener === undefined) server.on('request', requestListener);
  const engine = new ServerEngine({
    server,
    nodeListener: nodeListener as ConnectionListener,
    methods: options.methods ?? defaultMethods,
    onRequest,
    onHandOver: options.onHandOver,
    counters: (options.countsWith?.counters as MutableCounters | undefined) ?? new MutableCounters(),
    findWatcher: () => findWatcher(server, requestListener),
  });
  const engineListener = (socket: Socket): void => engine.accept(socket);
  if (event !== undefined) replaceListener(server, event, nodeListener as ConnectionListener, engineListener);
  const restoreClosing = extendClosing(server, engine, options.keepsWhenClosing === true);
  const attached: Engine = {
    counters: engine.counters,
    startClosing: () => {
      engine.isClosing = true;
    },
    stateOf: (socket) => connectionOf(socket)?.phases.state,
    exchangesOf: (socket) => connectionOf(socket)?.queue.list() ?? [],
    detach: () => {
      if (event !== undefined)
        replaceListener(server, event, engineListener, nodeListener as ConnectionListener);
      restoreClosing();
      if (options.requestListener === undefined) server.off('request', requestListener);
      engines.delete(server);
    },
  };
  engines.set(server, attached);
  return attached;
}

type AnyListener = (...args: never[]) => void;

/** Replaces a listener, and keeps the order of all listeners. */
function replaceListener(server: Server, event: string, from: AnyListener, to: AnyListener): void {
  const listeners = server.rawListeners(event) as AnyListener[];
  for (const listener of listeners) server.off(event, listener as () => void);
  for (const listener of listeners) server.on(event, (listener === from ? to : listener) as () => void);
}

type CloseCallback = (error?: Error) => void;

/** Makes the server's methods for closing also close the connections of the engine. Returns a function that restores them. */
function extendClosing(server: Server, engine: ServerEngine, keepsWhenClosing: boolean): () => void {
  const { close, closeIdleConnections, closeAllConnections } = server;
  const replacements = {
    close(this: Server, callback?: CloseCallback): Server {
      if (!keepsWhenClosing) engine.isClosing = true;
      engine.closeIdle();
      return close.call(this, callback) as Server;
    },
    closeIdleConnections(this: Server): void {
      engine.closeIdle();
      closeIdleConnections.call(this);
    },
    closeAllConnections(this: Server): void {
      engine.closeAll();
      closeAllConnections.call(this);
    },
  };
  const onListening = (): void => {
    engine.isClosing = false;
  };
  server.on('listening', onListening);
  Object.assign(server, replacements);
  return () => {
    server.off('listening', onListening);
    for (const name of Object.keys(replacements) as (keyof typeof replacements)[]) {
      // If other code has replaced the method since, its method stays.
      if (server[name] === replacements[name]) Reflect.deleteProperty(server, name);
    }
  };
}

/** Node's own `emit`, read when this module loads: later, the prototype may have a replacement. */
const { emit } = EventEmitter.prototype;

/** The channels on which node publishes the requests of its servers. */
const channels = [
  'http.server.request.start',
  'http.server.response.created',
  'http.server.response.finish',
].map((name) => channel(name));

/**
 * How something observes the server: a second `request` listener (socket.io also replaces the first one), an `emit` that is not node's
 * (agents patch that of the server, of its class, or of all emitters), or subscribers of node's channels; undefined if nothing does.
 */
function findWatcher(server: Server, engineListener: RequestListener): WatchReason | undefined {
  if (server.emit !== emit) return 'emit';
  if (server.listenerCount('request') !== 1 || server.listeners('request')[0] !== engineListener)
    return 'request-listener';
  for (const each of channels) if (each.hasSubscribers) return 'diagnostics-channel';
  return undefined;
}
