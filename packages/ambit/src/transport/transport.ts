/** What the application asks of its transport, and what every transport that can listen does in the same way. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Unfinished } from '../contract/closing.ts';
import { AlreadyClosed, AlreadyListening } from '../contract/errors.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { ListenOptions, ServerSettings } from '../contract/server.ts';
import { hasDescriptor, publicAddresses } from './listen.ts';
import { exchangeOver } from './make-exchange.ts';
import type { ClosableServer } from './node-server.ts';
import { UnconnectedExchanges } from './unconnected-exchanges.ts';

/** What the transport needs of the application. */
export interface TransportHost {
  /** Takes an exchange, routes it and runs it. All that a transport needs. */
  dispatch(exchange: Exchange): void;
  whenReady(): Promise<unknown>;
  close(): Promise<void>;
  /** Closes without a caller that waits, so errors are logged. */
  closeUnattended(): void;
  announce(address: string): void;
}

export abstract class Transport {
  /** What users see as `app.server`. */
  abstract readonly server: ClosableServer;
  readonly unconnected: UnconnectedExchanges = new UnconnectedExchanges();
  protected readonly settings: ServerSettings;
  protected readonly host: TransportHost;
  protected isListening = false;
  /** Exchanges read it: whether the application closes, and whether a response ends its connection then. */
  protected readonly state = { isClosing: false, endsConnections: false };

  constructor(settings: ServerSettings, host: TransportHost) {
    this.settings = settings;
    this.host = host;
  }

  /** Serves a pair of node objects, wherever they come from. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void =>
    this.host.dispatch(exchangeOver(request, response));

  /** The same for requests that `inject` makes: they come over no connection that could tell of them. */
  readonly handleInjected = (request: IncomingMessage, response: ServerResponse): void => {
    const x = exchangeOver(request, response);
    const place = this.unconnected.add(x);
    const forget = (): void => this.unconnected.delete(place);
    response.once('finish', forget).once('close', forget);
    this.host.dispatch(x);
  };

  /** @returns The first address listened on; `undefined` when closing came first. */
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

  /** Boot is over. @returns The first address. */
  protected abstract open(options: ListenOptions): Promise<string | undefined>;

  /** @throws before boot for an option that nothing here can do. */
  protected checkListening(_options: ListenOptions): void {}

  /** Logs the addresses of a server. */
  protected announce(server: Pick<ClosableServer, 'address'>, options: ListenOptions): string[] {
    const addresses = publicAddresses(server, this.settings.userOptions.https ? 'https' : 'http', options);
    for (const address of addresses)
      this.host.announce(options.listenTextResolver?.(address) ?? `Server listening at ${address}`);
    return addresses;
  }

  abstract addresses(): AddressInfo[];

  /** From now on, responses say that their connection ends, unless clients may keep their connections. */
  startClosing(): void {
    this.state.isClosing = true;
    this.state.endsConnections = this.settings.userOptions.forceCloseConnections !== false;
    this.unconnected.watchClients();
  }

  /**
   * Tells clients that their connections end, where the wire has a message for that.
   *
   * @returns Whether a request has come over one of these connections.
   */
  abstract announceEnd(): (x: Exchange) => boolean;

  /** The requests that have no complete response yet, and connections that were upgraded. */
  unfinished(): Unfinished[] {
    this.unconnected.watchClients();
    return this.unconnected.running.map((exchange) => ({ exchange, openedMs: 0 }));
  }

  abstract destroyAll(): void;

  /** Resolves when no connection is left, or when the time is up. */
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

/** A path is an address by itself, as is an open file descriptor: no host goes with them. */
function withHost({ signal: _, ...options }: ListenOptions): ListenOptions {
  if (options.path != null || hasDescriptor(options)) return options;
  return { port: 0, ...options, host: options.host ?? 'localhost' };
}

function withinTime(limitMs: number, promise: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs);
    promise.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
