/**
 * Owns one connection that the engine serves: its bytes, the order of its requests and responses, and when it goes to
 * node.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ExchangeHost } from '../exchange/lane-exchange.ts';
import { LaneExchange } from '../exchange/lane-exchange.ts';
import { type HandOverReason, incomplete, invalidHost, reasonOf } from '../grammar/reasons.ts';
import { type Phase, Waiting } from '../limits/waiting.ts';
import type { RequestClass, ResponseClass } from '../raw/node-internals.ts';
import { tellDrained } from '../raw/node-internals.ts';
import type { ConnectionHost } from './connection-host.ts';
import { ParseError, RequestTimeout } from './failures.ts';
import { HeadReader } from './head-reader.ts';
import { Output } from './output.ts';
import { RequestQueue } from './request-queue.ts';

/** The number of requests of one connection that are served at the same time. Further requests are not read yet. */
const mostAtATime = 64;
/** A shorter head is scanned with each piece that arrives, a longer one only when a line ends. */
const shortHeadBytes = 1024;

const nothing = Buffer.alloc(0);

export class Connection implements ExchangeHost {
  readonly socket: Socket;
  readonly output: Output;
  readonly #host: ConnectionHost;
  readonly #queue: RequestQueue = new RequestQueue();
  readonly #waiting: Waiting;
  readonly #reader: HeadReader = new HeadReader();
  #requests = 0;
  /** The request whose body has not arrived completely. */
  #receiving: LaneExchange | undefined = undefined;
  /** Bytes that were read but not served, from `#at` on. */
  #input: Buffer = nothing;
  #at = 0;
  #isConsuming = false;
  /**
   * Whether reading has to wait: until the client reads, until responses are sent, or until node can take the
   * connection.
   */
  #isBlocked = false;
  /** Reading continues when fewer requests than this are being served. */
  #resumesBelow = mostAtATime;
  #willFlush = false;
  /** A request said that it is the last one. */
  #sawLast = false;
  #isOver = false;
  #hasFailed = false;

  constructor(host: ConnectionHost, socket: Socket) {
    this.#host = host;
    this.socket = socket;
    this.output = new Output(socket);
    this.#waiting = new Waiting(host.clock.nowMs);
  }

  // ---- called by exchanges

  get server(): Server {
    return this.#host.server;
  }

  get joinsDuplicates(): boolean {
    return this.#host.limits.joinsDuplicates;
  }

  get RequestClass(): RequestClass {
    return this.#host.RequestClass;
  }

  get ResponseClass(): ResponseClass {
    return this.#host.ResponseClass;
  }

  get keepAliveTimeoutMs(): number {
    return this.#host.limits.keepAliveTimeoutMs;
  }

  get maxRequests(): number {
    return this.#host.limits.maxRequests;
  }

  get endsSoon(): boolean {
    return this.#host.isClosing && this.#queue.count === 1 && this.#at >= this.#input.length;
  }

  isFirst(exchange: LaneExchange): boolean {
    return this.#queue.first === exchange;
  }

  onBodyAsked(): void {
    if (this.#receiving !== undefined && !this.#isBlocked) this.socket.resume();
  }

  // HOT: once per request.
  onAnswered(exchange: LaneExchange): void {
    const next = this.#queue.removeFirst();
    if (exchange.body !== undefined || exchange.hasRawRequest) this.#drainBody(exchange);
    if (exchange.isLast) {
      this.#end();
      return;
    }
    next?.takeTurn();
    if (!this.#isConsuming) this.#settleLater();
  }

  #drainBody(exchange: LaneExchange): void {
    exchange.drainBody();
    if (this.#receiving === exchange) this.onBodyAsked();
  }

  // ---- reading

  // HOT: once per read.
  receive(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#input.length === 0) this.#input = chunk;
    else {
      const isPlain = this.#waiting.phase === 'head' && !this.#isBlocked && isPlainText(chunk);
      this.#input = Buffer.concat([this.#input.subarray(this.#at), chunk]);
      this.#at = 0;
      // There is no end of a line, so the head cannot be complete.
      if (isPlain && this.#input.length > shortHeadBytes && this.#input.length < this.#host.limits.headBytes)
        return;
    }
    if (this.#isBlocked) this.socket.pause();
    else this.#consume();
  }

  // HOT: once per read.
  #consume(): void {
    this.#isConsuming = true;
    let isDone = false;
    try {
      while (this.#at < this.#input.length && this.#step());
      isDone = true;
    } finally {
      this.#isConsuming = false;
      // If a handler throws, the error is not caught here, and the requests after this one are still served.
      if (!isDone) this.#goOnLater();
      this.#settle();
    }
  }

  /** Serves what comes next. @returns False if it has to wait. */
  #step(): boolean {
    const { body } = this.#receiving ?? {};
    if (body !== undefined) {
      this.#at = body.receive(this.#input, this.#at);
      if (body.isComplete) {
        this.#receiving = undefined;
        return true;
      }
      return false;
    }
    if (this.#isOver || !this.#mayStart()) return false;
    return this.#startRequest(this.#input, this.#at);
  }

  #mayStart(): boolean {
    if (this.#sawLast) return this.#ignoreRest();
    const { output } = this;
    if (output.isLong) output.flush();
    this.#isBlocked = this.socket.writableNeedDrain || this.#queue.count >= mostAtATime;
    this.#resumesBelow = mostAtATime;
    if (this.#isBlocked) return false;
    const { watchedBy } = this.#host;
    if (watchedBy !== undefined) return this.#handOver(watchedBy);
    return true;
  }

  /** Node's parser allows empty lines after the last request, and nothing else. */
  #ignoreRest(): boolean {
    const rest = this.#input.subarray(this.#at);
    this.#at = this.#input.length;
    if (this.#queue.last?.isLimitReached === true || rest.every((byte) => byte === 0x0d || byte === 0x0a))
      return false;
    this.fail(new ParseError('HPE_CLOSED_CONNECTION', 'Data after `Connection: close`', rest));
    return false;
  }

  // HOT: once per request.
  #startRequest(bytes: Buffer, start: number): boolean {
    const { limits, methods } = this.#host;
    const reader = this.#reader;
    const end = reader.read(bytes, start, methods, limits.fieldCount);
    if (end <= 0) return this.#refuseHead(end);
    if (end - start >= limits.headBytes) return this.#handOver('head-too-large');
    const fields = reader.fields!;
    if (fields.saysClose && bytes.length > end + fields.contentLength)
      return this.#handOver('data-after-close');
    this.#serve(new LaneExchange(this, reader.method, reader.readTarget(bytes), fields), end);
    return true;
  }

  /** The head is not complete, or it must go to node. */
  #refuseHead(code: number): boolean {
    if (code === incomplete) {
      if (this.#input.length - this.#at >= this.#host.limits.headBytes)
        return this.#handOver('head-too-large');
      return false;
    }
    if (code !== invalidHost) return this.#handOver(reasonOf(code));
    if (this.#waitForAnswers()) return false;
    this.#host.counters.refused++;
    this.fail(new ParseError('HPE_INVALID_HEADER_TOKEN', 'Invalid Host', this.#input.subarray(this.#at)));
    return false;
  }

  // HOT: once per request.
  #serve(exchange: LaneExchange, end: number): void {
    const host = this.#host;
    this.#queue.add(exchange);
    const { maxRequests } = host.limits;
    if (++this.#requests === maxRequests) {
      exchange.isLimitReached = true;
      exchange.isLast = true;
    }
    if (exchange.isLast) this.#sawLast = true;
    this.#at = end;
    const { body } = exchange;
    if (body !== undefined) {
      this.#at = body.receive(this.#input, end);
      if (!body.isComplete) this.#receiving = exchange;
    }
    host.serve(exchange);
  }

  // ---- writing

  // HOT: once per read, or per answer that comes later.
  /** Writes the collected responses, and checks the state of the connection. */
  #settle(): void {
    this.output.flush();
    if (this.#isOver) return;
    if (this.#at >= this.#input.length) {
      this.#input = nothing;
      this.#at = 0;
    }
    this.#isBlocked &&= this.socket.writableNeedDrain || this.#queue.count >= this.#resumesBelow;
    const { body } = this.#receiving ?? {};
    if (this.#isBlocked || body?.isFull || body?.isStreamFull) this.socket.pause();
    if (body !== undefined) body.isStreamFull = false;
    this.#enterPhase();
    if (this.#host.isClosing && this.isIdle) this.#end();
    else if (!this.#isBlocked && this.#canGoOn()) this.#goOnLater();
  }

  /** Whether something other than the client makes it wait. */
  #canGoOn(): boolean {
    return this.socket.isPaused() && this.#receiving === undefined;
  }

  #enterPhase(): void {
    const { clock } = this.#host;
    if (!this.#waiting.enter(this.#findPhase(), clock.nowMs)) return;
    this.#host.onPhase(this.socket, this.#waiting.phase === 'idle');
  }

  #findPhase(): Phase {
    if (this.#receiving !== undefined) return 'body';
    if (this.#queue.first !== undefined) return 'answer';
    return this.#input.length > 0 || this.#requests === 0 ? 'head' : 'idle';
  }

  /** Responses that are ready together are sent together. */
  #settleLater(): void {
    if (this.#queue.first === undefined) {
      this.#settle();
      return;
    }
    if (this.#willFlush) return;
    this.#willFlush = true;
    process.nextTick(() => {
      this.#willFlush = false;
      if (!this.#isOver) this.#settle();
    });
  }

  #goOnLater(): void {
    process.nextTick(() => this.#goOn());
  }

  #goOn(): void {
    if (this.#isOver || this.#isConsuming) return;
    this.#isBlocked = false;
    this.socket.resume();
    if (this.#input.length > 0) this.#consume();
  }

  onDrain(): void {
    const { _httpMessage } = this.socket as Socket & {
      _httpMessage?: Parameters<typeof tellDrained>[0] | null;
    };
    if (_httpMessage != null) tellDrained(_httpMessage);
    if (this.#isBlocked) this.#goOn();
  }

  // ---- ends

  /** The last response has been collected. */
  #end(): void {
    this.output.flush();
    this.#isOver = true;
    this.#input = nothing;
    this.socket.destroySoon();
  }

  /** @returns Whether answers have to leave before the connection can change hands. */
  #waitForAnswers(): boolean {
    this.#isBlocked = this.#queue.first !== undefined;
    this.#resumesBelow = 1;
    return this.#isBlocked;
  }

  /** Gives the connection to node after all earlier requests have their responses. */
  #handOver(reason: HandOverReason): boolean {
    if (this.#waitForAnswers()) return false;
    this.output.flush();
    this.#isOver = true;
    this.#host.handOver(this.socket, this.#input.subarray(this.#at), reason);
    return false;
  }

  /** The client has closed its side. */
  onEnd(): void {
    if (this.#isOver) return;
    if (this.#receiving !== undefined || (this.#input.length > 0 && !this.#isBlocked)) {
      this.fail(new ParseError('HPE_INVALID_EOF_STATE', 'Invalid EOF state', this.#input.subarray(this.#at)));
    } else if (!this.#host.limits.allowsHalfOpen || this.#queue.last === undefined) this.socket.end();
    else this.#queue.last.setLast();
  }

  /** Ends the connection with node's events and answers. */
  fail(error: Error): void {
    this.output.flush();
    // After the beginning of a response, further bytes would be read as part of it.
    if (this.#queue.first?.isHeadWritten !== true) this.#giveUp(error);
    else {
      this.#hasFailed = true;
      this.#isOver = true;
      this.socket.destroy(error);
    }
  }

  #giveUp(error: Error): void {
    this.#hasFailed = true;
    this.#isOver = true;
    this.#input = nothing;
    this.#host.fail(this.socket, error);
  }

  /** The socket failed, so no response can be sent. */
  onSocketError(error: Error): void {
    if (!this.#hasFailed) this.#giveUp(error);
  }

  onClosed(): void {
    this.#isOver = true;
    this.#input = nothing;
    const receiving = this.#receiving;
    this.#receiving = undefined;
    if (receiving !== undefined && !receiving.isDestroyed) receiving.onClosed();
    this.#queue.close();
  }

  onTimeout(): boolean {
    return this.#queue.first?.emitTimeout(this.socket) === true;
  }

  /** Between two requests, or before the first. */
  get isIdle(): boolean {
    return this.#waiting.phase === 'idle' && this.#queue.first === undefined;
  }

  /** Ends the connection after one of its time limits. */
  checkLimits(): void {
    const expired = this.#waiting.findExpired(this.#host.clock, this.#host.limits);
    if (expired === 'idle') this.socket.destroy();
    if (expired === 'request') this.fail(new RequestTimeout());
  }
}

/** Whether a piece contains neither the end of a line nor another control character. */
function isPlainText(chunk: Buffer): boolean {
  for (let i = 0; i < chunk.length; i++) if (chunk[i]! < 0x20 || chunk[i] === 0x7f) return false;
  return true;
}
