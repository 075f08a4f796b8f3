/** Owns the open connections of one server, and ends them when it closes. A server that is not node's must track its connections itself. */

import type { Http2Server, ServerHttp2Session } from 'node:http2';
import { createRequire } from 'node:module';
import { Server, type Socket } from 'node:net';
import type { Engine } from '@ambit/http-engine';
import { lazyModule } from '../shared/lazy-module.ts';
import type { ServerSettings, Unfinished } from '../types/options.ts';
import { requestTimeoutAnswer } from './client-error.ts';
import type { ClosableServer } from './node-server.ts';
import {
  type Closing,
  type ConnectionLimits,
  Http1Connection,
  type OpenConnection,
  unreadLimit,
} from './open-connection.ts';

const require = createRequire(import.meta.url);

const loadHttp2 = lazyModule<typeof import('./http2.ts')>(() => require('./http2.ts'));

/** How often a closing server checks its connections. */
const closingCheckMs = 50;
/** How often sessions of HTTP/2 are checked for requests that take too long to arrive. */
const sessionCheckMs = 1_000;
/**
 * The time that HTTP/2 clients get to learn that no new streams are accepted, because since Node 24 a server ends its sessions when it
 * closes.
 */
const announceMs = 100;

export class ServerConnections {
  readonly server: ClosableServer;
  /** The application's factory may return any kind of server. */
  readonly #isNodes: boolean;
  readonly #settings: ServerSettings;
  readonly #openConnections = new Map<Socket, OpenConnection>();
  #acceptedCount = 0;
  #hasSessions = false;
  #isChecking = false;
  #isCutOff = false;
  /** After `stopAccepting`: resolves when the last connection has ended. */
  ended: Promise<void> = Promise.resolve();
  /** The HTTP engine in front of the server; `undefined` without one. */
  engine: Engine | undefined = undefined;

  constructor(server: ClosableServer, settings: ServerSettings) {
    this.server = server;
    this.#settings = settings;
    this.#isNodes = server instanceof Server;
    if (this.#isNodes) this.#track(server);
  }

  #track(server: ClosableServer): void {
    let accepting: Socket;
    // Before node's own listener, which emits `session` for the connection that it gets.
    server.prependListener('connection', (socket) => {
      accepting = socket;
      this.#acceptedCount++;
      if ('setSecureContext' in server) this.#add(socket, new Http1Connection(socket, this, true));
      else this.#addHttp1(socket);
    });
    server.prependListener('secureConnection', (socket: Socket & { _parent?: Socket }) => {
      accepting = socket;
      // The TCP socket under the TLS socket. The property is not documented.
      this.#openConnections.delete(socket._parent!);
      this.#addHttp1(socket);
    });
    (server as unknown as Http2Server).on('session', (session) => {
      if (!this.#hasSessions) this.#limitRequestsOfSessions();
      this.#hasSessions = true;
      const timeoutAnswer = () => requestTimeoutAnswer(this.#settings.userOptions.errors ?? 'json');
      const { Http2Connection } = loadHttp2();
      this.#openConnections.set(
        accepting,
        new Http2Connection(accepting, session as ServerHttp2Session, timeoutAnswer),
      );
    });
  }

  #addHttp1(socket: Socket): void {
    const connection = new Http1Connection(socket, this, false);
    connection.lingerAfterEarlyAnswer();
    // Node ends the others itself: those of HTTP/2, and those of a server that the application has made.
    if (this.server.httpAllowHalfOpen) connection.answerHalfClosed();
    this.#add(socket, connection);
  }

  #add(socket: Socket, connection: OpenConnection): void {
    this.#openConnections.set(socket, connection);
    socket.once('close', () => this.#openConnections.delete(socket));
    if (this.#isCutOff) socket.destroy();
  }

  /** Checks sessions as often as node's HTTP/1.1 server checks its connections: its option applies here, too. */
  #limitRequestsOfSessions(): void {
    const server = this.server;
    const { http } = this.#settings.userOptions;
    const check = (): void => {
      const limits = this.#limits;
      if (limits.requestMs === 0) return;
      const nowMs = performance.now();
      for (const connection of this.#openConnections.values())
        connection.endLateRequests?.({ nowMs, limits });
    };
    const timer = setInterval(check, http?.connectionsCheckingInterval ?? sessionCheckMs).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Resolves when no new connections are accepted. Those that are open stay. */
  async stopAccepting(): Promise<void> {
    const server = this.server;
    if (!this.#isNodes || !server.listening) return;
    await acceptPending(() => this.#acceptedCount);
    // Another call may have closed the listener meanwhile.
    if (!server.listening) return;
    this.ended = new Promise((resolve) => server.once('close', resolve));
    // Not the `close` of HTTP servers, which would also end connections that have no request at the moment.
    Server.prototype.close.call(server);
  }

  /** The connections that are open now. */
  get sockets(): readonly Socket[] {
    return [...this.#openConnections.keys()];
  }

  announceEnd(): void {
    for (const connection of this.#openConnections.values()) connection.announceEnd();
  }

  unfinished(): Unfinished[] {
    return [...this.#openConnections.values()].flatMap((connection) => connection.unfinished());
  }

  /** Ends all connections, including those that are accepted later. */
  destroyAll(): void {
    this.#isCutOff = true;
    for (const connection of [...this.#openConnections.values()]) connection.destroy();
    if (!this.#isNodes) this.server.closeAllConnections?.();
  }

  /** The last step before the listener closes. Clients that have already connected must not be lost. */
  async prepareToClose(): Promise<void> {
    if (!this.#isNodes || (!this.server.listening && this.#openConnections.size === 0)) return;
    if (this.#ends === 'idle') await acceptPending(() => this.#acceptedCount);
    this.#checkUntilStopped();
    const hasSession = [...this.#openConnections.values()].some(
      ({ endLateRequests }) => endLateRequests !== undefined,
    );
    if (hasSession && this.#ends === 'idle') await wait(announceMs);
  }

  get #ends(): Closing['ends'] {
    const { forceCloseConnections } = this.#settings.userOptions;
    if (forceCloseConnections === true || this.#isCutOff) return 'all';
    return forceCloseConnections === false ? 'none' : 'idle';
  }

  #checkUntilStopped(): void {
    this.#isChecking = true;
    const startedMs = performance.now();
    const check = (): void => {
      if (!this.#isChecking) return;
      const closing: Closing = {
        startedMs,
        nowMs: performance.now(),
        ends: this.#ends,
        limits: this.#limits,
      };
      if (closing.ends === 'idle') this.#closeIdle();
      for (const connection of this.#openConnections.values()) connection.checkWhileClosing(closing);
      // Node reads what has arrived between the timer and the immediate, so the check sees it even if the process was busy.
      setTimeout(() => setImmediate(check), closingCheckMs).unref();
    };
    check();
  }

  /** Calls node's own method. If the application has replaced it, its method is called once, when the server closes. */
  #closeIdle(): void {
    const { closeIdleConnections } = Object.getPrototypeOf(this.server) as ClosableServer;
    this.#withoutEndingSilent(() => closeIdleConnections?.call(this.server));
  }

  /** Closes the listener; resolves when the last connection has ended. */
  async close(): Promise<void> {
    const server = this.server;
    const { userOptions } = this.#settings;
    const closed = new Promise<void>((resolve) =>
      this.#withoutEndingSilent(() => server.close(() => resolve())),
    );
    if (this.#ends === 'all') server.closeAllConnections?.();
    // A server of the application's factory may have its own method.
    else if (userOptions.serverFactory && this.#ends === 'idle') server.closeIdleConnections?.();
    await closed;
    this.#isChecking = false;
  }

  /** Since Node 26, node's closing also ends connections on which nothing has arrived yet. During this call, they cannot be destroyed. */
  #withoutEndingSilent(close: () => void): void {
    const mustStay = (socket: Socket): boolean => socket.bytesRead === 0 && !Object.hasOwn(socket, 'destroy');
    const silent = this.#ends === 'idle' ? [...this.#openConnections.keys()].filter(mustStay) : [];
    for (const socket of silent) socket.destroy = () => socket;
    close();
    for (const socket of silent) Reflect.deleteProperty(socket, 'destroy');
  }

  /** Read for each check, because applications may change the limits of a server. */
  get #limits(): ConnectionLimits {
    const { headersTimeout, requestTimeout } = this.server;
    const settings = this.#settings;
    const { keepAliveTimeout, http2SessionTimeout } = settings;
    const idleMs = this.#hasSessions ? http2SessionTimeout : keepAliveTimeout;
    return {
      headMs: headersTimeout ?? settings.headersTimeout,
      requestMs: requestTimeout ?? settings.requestTimeout,
      idleMs,
      unreadMs: unreadLimit(idleMs),
    };
  }
}

/** The longest time to accept connections: on a busy server, new ones come all the time. */
const maxAcceptMs = 2_000;
/** The longest wait for a short turn of the event loop. A process that is always busy has none. */
const maxQuietWaitMs = 500;
/** A turn that takes at most this time had hardly anything to do. */
const quietMs = 0.3;

/**
 * Lets node accept the connections that wait in the operating system, because they would be reset if the listener closed first. Node accepts
 * one per turn of the event loop, so this waits for a turn in which none came.
 *
 * @param countAccepted Returns how many connections the server has accepted so far.
 */
async function acceptPending(countAccepted: () => number): Promise<void> {
  const startedMs = performance.now();
  for (;;) {
    const acceptedBefore = countAccepted();
    // Two turns: node has certainly polled the sockets between them.
    await nextTurn();
    const turnStartedMs = performance.now();
    await nextTurn();
    const nowMs = performance.now();
    const elapsedMs = nowMs - startedMs;
    // After a long turn, further connections may be waiting.
    const isQuiet = nowMs - turnStartedMs <= quietMs || elapsedMs >= maxQuietWaitMs;
    if ((isQuiet && countAccepted() === acceptedBefore) || elapsedMs >= maxAcceptMs) return;
  }
}

// Not `node:timers/promises`: importing Ambit would load it for every application.
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
