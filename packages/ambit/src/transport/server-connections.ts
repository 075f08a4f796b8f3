/** Owns the open connections of one server, and sees to it that they end when it closes. */
import type { Http2Server, ServerHttp2Session } from 'node:http2';
import { Server, type Socket } from 'node:net';
import type { Engine } from '@ambit/http-engine';
import type { Unfinished } from '../contract/closing.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { ServerSettings } from '../contract/server.ts';
import { acceptPending } from './accept-pending.ts';
import { requestTimeoutAnswer } from './client-error.ts';
import { HandshakeConnection } from './handshake-connection.ts';
import { Http1Connection } from './http1-connection.ts';
import { Http2Connection } from './http2-connection.ts';
import { lingerAfterEarlyAnswer } from './linger.ts';
import type { ClosableServer } from './node-server.ts';
import type {
  Closing,
  ConnectionLimits,
  ExchangesInEngine,
  OpenConnection,
  StateInEngine,
} from './open-connection.ts';

/** How often a closing server looks at its connections. */
const tendEveryMs = 50;
/** How often sessions of HTTP/2 are checked for requests that take too long to arrive. */
const checkEveryMs = 1_000;
/** What clients of HTTP/2 get to hear that no new streams are taken; since Node 24 a server ends its sessions when it closes. */
const announceMs = 100;

export class ServerConnections {
  readonly #server: ClosableServer;
  readonly #settings: ServerSettings;
  readonly #open = new Map<Socket, OpenConnection>();
  #acceptedCount = 0;
  #hasSessions = false;
  #isTending = false;
  #isCutOff = false;
  #ended: Promise<void> = Promise.resolve();
  /** The one in front of the server. */
  engine: Engine | undefined = undefined;

  constructor(server: ClosableServer, settings: ServerSettings) {
    this.#server = server;
    this.#settings = settings;
    const timeoutAnswer = () => requestTimeoutAnswer(settings.userOptions.errors ?? 'json');
    const isTls = 'setSecureContext' in server;
    let accepting: Socket;
    // Before node's own listener, which emits `session` for the connection that it is given.
    server.prependListener('connection', (socket) => {
      accepting = socket;
      this.#acceptedCount++;
      if (isTls) this.#add(socket, new HandshakeConnection(socket));
      else this.#addHttp1(socket);
    });
    server.prependListener('secureConnection', (socket: Socket & { _parent?: Socket }) => {
      accepting = socket;
      // Node's name for the connection beneath; it is not documented.
      this.#open.delete(socket._parent!);
      this.#addHttp1(socket);
    });
    (server as unknown as Http2Server).on('session', (session) => {
      if (!this.#hasSessions) this.#limitRequestsOfSessions();
      this.#hasSessions = true;
      this.#open.set(accepting, new Http2Connection(accepting, session as ServerHttp2Session, timeoutAnswer));
    });
  }

  #addHttp1(socket: Socket): void {
    lingerAfterEarlyAnswer(socket, this.#stateInEngine);
    this.#add(socket, new Http1Connection(socket, this.#stateInEngine, this.#exchangesInEngine));
  }

  readonly #stateInEngine: StateInEngine = (socket) => this.engine?.stateOf(socket);

  readonly #exchangesInEngine: ExchangesInEngine = (socket) =>
    (this.engine?.exchangesOf(socket) ?? []).map(({ owner }) => owner as Exchange);

  #add(socket: Socket, connection: OpenConnection): void {
    this.#open.set(socket, connection);
    socket.once('close', () => this.#open.delete(socket));
    if (this.#isCutOff) socket.destroy();
  }

  /** The option of node's HTTP/1.1 server counts here too: how often it looks at its connections. */
  #limitRequestsOfSessions(): void {
    const server = this.#server;
    const { http } = this.#settings.userOptions;
    const check = (): void => {
      const limits = this.#limits;
      if (limits.requestMs === 0) return;
      const nowMs = performance.now();
      for (const connection of this.#open.values())
        if (connection instanceof Http2Connection) connection.endLateRequests({ nowMs, limits });
    };
    const timer = setInterval(check, http?.connectionsCheckingInterval ?? checkEveryMs).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Resolves when no new connections are accepted. Those that are open stay. */
  async stopAccepting(): Promise<void> {
    const server = this.#server;
    if (!server.listening) return;
    await acceptPending(() => this.#acceptedCount);
    // Another call may have been faster.
    if (!server.listening) return;
    this.#ended = new Promise((resolve) => server.once('close', resolve));
    // The method of HTTP servers would end connections that carry no request at the moment.
    Server.prototype.close.call(server);
  }

  /** After `stopAccepting`: resolves when the last connection has ended by itself. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  /** The connections that are open now. */
  get sockets(): readonly Socket[] {
    return [...this.#open.keys()];
  }

  /** Tells clients that their connections end, as far as their wires have a message for it. */
  announceEnd(): void {
    for (const connection of this.#open.values()) connection.announceEnd();
  }

  unfinished(): Unfinished[] {
    return [...this.#open.values()].flatMap((connection) => connection.unfinished());
  }

  /** Ends every connection. Those that are accepted later end too. */
  destroyAll(): void {
    this.#isCutOff = true;
    for (const connection of [...this.#open.values()]) connection.destroy();
  }

  /** The last step before the listener closes. No client that has already reached this server may be lost. */
  async prepareToClose(): Promise<void> {
    if (!this.#server.listening && this.#open.size === 0) return;
    if (this.#ends === 'idle') await acceptPending(() => this.#acceptedCount);
    this.#tendUntilStopped();
    const hasSession = [...this.#open.values()].some((connection) => connection instanceof Http2Connection);
    if (hasSession && this.#ends === 'idle') await wait(announceMs);
  }

  get #ends(): Closing['ends'] {
    const { forceCloseConnections } = this.#settings.userOptions;
    if (forceCloseConnections === true || this.#isCutOff) return 'all';
    return forceCloseConnections === false ? 'none' : 'idle';
  }

  #tendUntilStopped(): void {
    this.#isTending = true;
    const startedMs = performance.now();
    const tend = (): void => {
      if (!this.#isTending) return;
      this.#tendAll({ startedMs, nowMs: performance.now(), ends: this.#ends, limits: this.#limits });
      // What the system has received is read between timer and immediate, also where the process was busy until now.
      setTimeout(() => setImmediate(tend), tendEveryMs).unref();
    };
    tend();
  }

  /** Closes the listener; resolves when the last connection has ended. */
  async close(): Promise<void> {
    const server = this.#server;
    const { userOptions } = this.#settings;
    const closed = new Promise<void>((resolve) => this.#sparingSilent(() => server.close(() => resolve())));
    if (this.#ends === 'all') server.closeAllConnections?.();
    // A server of the application's own may have a method of its own.
    else if (userOptions.serverFactory && this.#ends === 'idle') server.closeIdleConnections?.();
    await closed;
    this.#isTending = false;
  }

  /** Since Node 26 its own closing ends connections on which nothing has arrived yet, too. Meanwhile they cannot be. */
  #sparingSilent(close: () => void): void {
    const isSpared = (socket: Socket): boolean => socket.bytesRead === 0 && !Object.hasOwn(socket, 'destroy');
    const silent = this.#ends === 'idle' ? [...this.#open.keys()].filter(isSpared) : [];
    for (const socket of silent) socket.destroy = () => socket;
    close();
    for (const socket of silent) Reflect.deleteProperty(socket, 'destroy');
  }

  #tendAll(closing: Closing): void {
    if (closing.ends === 'idle') this.#sparingSilent(() => this.#closeIdle());
    for (const connection of this.#open.values()) connection.tend(closing);
  }

  /** Node's own method: whoever put another in its place has it called once, by the closing of the server. */
  #closeIdle(): void {
    const { closeIdleConnections } = Object.getPrototypeOf(this.#server) as ClosableServer;
    closeIdleConnections?.call(this.#server);
  }

  /** Applications may change the limits of a server. */
  get #limits(): ConnectionLimits {
    const { headersTimeout, requestTimeout } = this.#server;
    const settings = this.#settings;
    const { keepAliveTimeout, http2SessionTimeout } = settings;
    return {
      headMs: headersTimeout ?? settings.headersTimeout,
      requestMs: requestTimeout ?? settings.requestTimeout,
      idleMs: this.#hasSessions ? http2SessionTimeout : keepAliveTimeout,
    };
  }
}

// Not `node:timers/promises`: importing Ambit would load it for every application.
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
