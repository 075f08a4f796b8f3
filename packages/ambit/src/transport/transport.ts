/** The interface between the application and its transport, and what all transports that listen have in common. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { lazyModule } from '../shared/lazy-module.ts';
import { AlreadyClosed, AlreadyListening } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import type { ListenOptions, ServerSettings, Unfinished } from '../types/options.ts';
import { NodeExchange } from './node-exchange.ts';
import type { ClosableServer } from './node-server.ts';
import { hasDescriptor, publicAddresses } from './node-server.ts';
import { UnconnectedExchanges } from './unconnected-requests.ts';

const require = createRequire(import.meta.url);

/** What the transport needs from the application. */
export interface TransportHost {
  /** Finds the route of an exchange, and runs it. A transport needs nothing else to serve requests. */
  dispatch(exchange: Exchange): void;
  whenReady(): Promise<unknown>;
  close(): Promise<void>;
  /** Closes the application. No caller waits for it, so errors are logged. */
  closeUnattended(): void;
  announce(address: string): void;
}

export abstract class Transport {
  /** What users see as `app.server`. */
  abstract readonly server: ClosableServer;
  #unconnected: UnconnectedExchanges | undefined;
  protected readonly settings: ServerSettings;
  protected readonly host: TransportHost;
  protected isListening = false;
  /** Read by exchanges: whether the application is closing, and whether responses then end their connections. */
  protected readonly state = { isClosing: false, endsConnections: false };

  constructor(settings: ServerSettings, host: TransportHost) {
    this.settings = settings;
    this.host = host;
  }

  /** The running exchanges that came over no connection. Most applications have none. */
  get unconnected(): UnconnectedExchanges {
    this.#unconnected ??= new UnconnectedExchanges();
    return this.#unconnected;
  }

  /** Serves a pair of node's objects, whatever server they come from. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void =>
    this.host.dispatch(exchangeOver(request, response));

  /** Like `handle`, for the requests of `inject`. They are tracked here, because they have no connection that tracks them. */
  readonly handleInjected = (request: IncomingMessage, response: ServerResponse): void => {
    const x = exchangeOver(request, response);
    this.unconnected.add(x);
    const remove = (): void => this.unconnected.delete(x);
    response.once('finish', remove).once('close', remove);
    this.host.dispatch(x);
  };

  /** @returns The first address; `undefined` if the application was closed first. */
  async listen(options: ListenOptions): Promise<string | undefined> {
    const { signal } = options;
    if (this.isListening) throw this.state.isClosing ? new AlreadyClosed() : new AlreadyListening();
    if (signal?.aborted) {
      await this.host.close();
      return undefined;
    }
    signal?.addEventListener('abort', () => this.host.closeUnattended(), { once: true });
    this.isListening = true;
    try {
      this.checkListening(options);
      await this.host.whenReady();
      if (this.state.isClosing || signal?.aborted) return undefined;
      return await this.open(withHost(options));
    } catch (error) {
      this.isListening = false;
      throw error;
    }
  }

  /** Called after boot. @returns The first address. */
  protected abstract open(options: ListenOptions): Promise<string | undefined>;

  /** Called before boot. @throws for an option that the transport does not support. */
  protected checkListening(_options: ListenOptions): void {}

  /** Logs the addresses of a server. @param bound As the server tells it. */
  protected announce(bound: ReturnType<ClosableServer['address']>, options: ListenOptions): string[] {
    const addresses = publicAddresses(bound, this.settings.userOptions.https ? 'https' : 'http', options);
    for (const address of addresses)
      this.host.announce(options.listenTextResolver?.(address) ?? `Server listening at ${address}`);
    return addresses;
  }

  abstract addresses(): AddressInfo[];

  /** From now on, responses announce the end of their connections, unless clients may keep them. */
  startClosing(): void {
    this.state.isClosing = true;
    this.state.endsConnections = this.settings.userOptions.forceCloseConnections !== false;
    this.#unconnected?.watchClients();
  }

  /**
   * Tells clients that their connections end, if the protocol has a message for that.
   *
   * @returns A function that returns whether a request came over one of these connections.
   */
  abstract announceEnd(): (x: Exchange) => boolean;

  /** The requests that have no complete response yet, and connections that were upgraded. */
  unfinished(): Unfinished[] {
    this.unconnected.watchClients();
    return this.unconnected.running.map((exchange) => ({ exchange, openedMs: 0 }));
  }

  abstract destroyAll(): void;

  /** Resolves when no connection is left, or when the time is over. */
  drain(graceMs: number): Promise<void> {
    return withinTime(graceMs, this.stopAccepting());
  }

  /**
   * Resolves when no connection is left.
   *
   * @param onStopped Called as soon as no new connections are accepted.
   */
  abstract stopAccepting(onStopped?: () => void): Promise<unknown>;

  abstract close(): Promise<void>;
}

/** Fills in the default port and host. A path or a file descriptor has none. */
function withHost({ signal: _, ...options }: ListenOptions): ListenOptions {
  if (options.path != null || hasDescriptor(options)) return options;
  return { port: 0, ...options, host: options.host ?? 'localhost' };
}

/** Resolves with the promise, or when the time is over. */
export function withinTime(limitMs: number, promise: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs);
    promise.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

const loadHttp2 = lazyModule<typeof import('./http2.ts')>(() => require('./http2.ts'));

/** Creates the exchange for a pair of node's objects, of HTTP/1.1 or HTTP/2, whatever server they come from. */
export function exchangeOver(request: IncomingMessage, response: ServerResponse): NodeExchange {
  return request.httpVersionMajor === 2
    ? new (loadHttp2().Http2Exchange)(request, response)
    : new NodeExchange(request, response);
}
