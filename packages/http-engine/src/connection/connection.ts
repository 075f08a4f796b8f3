/**
 * Owns one connection that the engine serves: its bytes, the order of its requests and responses, and when it goes to
 * node.
 */
import type { Socket } from 'node:net';
import type { ExchangeHost } from '../exchange/engine-exchange.ts';
import { EngineExchange } from '../exchange/engine-exchange.ts';
import { type HandOverReason, incomplete, invalidHost, reasonOf } from '../grammar/reasons.ts';
import { emitDrain } from '../raw/node-internals.ts';
import { Backpressure } from './backpressure.ts';
import type { ConnectionHost } from './connection-host.ts';
import type { ConnectionParts } from './connection-parts.ts';
import { Ending } from './ending.ts';
import { ParseError } from './failures.ts';
import { HeadReader } from './head-reader.ts';
import { Input } from './input.ts';
import { Output } from './output.ts';
import { type ConnectionState, Phases } from './phases.ts';
import { RequestQueue } from './request-queue.ts';
import { pauseReading } from './socket-listeners.ts';

export class Connection implements ExchangeHost, ConnectionParts {
  readonly engine: ConnectionHost;
  readonly socket: Socket;
  readonly input: Input = new Input();
  readonly output: Output;
  readonly queue: RequestQueue = new RequestQueue();
  readonly #reader: HeadReader = new HeadReader();
  readonly #backpressure: Backpressure;
  readonly #ending: Ending;
  readonly #phases: Phases;
  #isConsuming = false;
  #willFlush = false;
  /** Whether the client has ended its side, and still gets its responses. */
  #isHalfClosed = false;
  /** Whether the socket gets the end of its input later, because bytes before it were not served yet. */
  #hasDeferredEnd = false;

  constructor(engine: ConnectionHost, socket: Socket) {
    this.engine = engine;
    this.socket = socket;
    this.output = new Output(socket);
    this.#backpressure = new Backpressure(socket, this.queue);
    this.#ending = new Ending(this);
    this.#phases = new Phases(this, this.#ending);
  }

  // ---- called by exchanges

  get endsSoon(): boolean {
    return this.engine.isClosing && this.queue.count === 1 && this.input.isServed;
  }

  isFirst(exchange: EngineExchange): boolean {
    return this.queue.first === exchange;
  }

  onBodyRequested(): void {
    if (this.queue.receiving !== undefined && !this.#backpressure.isBlocked) this.#resume();
  }

  // HOT: once per request.
  onAnswered(exchange: EngineExchange): void {
    const next = this.queue.removeFirst();
    if (exchange.body !== undefined || exchange.hasRawRequest) this.#drainBody(exchange);
    if (exchange.isLast) {
      this.#ending.afterResponses();
      return;
    }
    next?.takeTurn();
    if (!this.#isConsuming) this.#settleLater();
  }

  #drainBody(exchange: EngineExchange): void {
    exchange.drainBody();
    if (this.queue.receiving === exchange) this.onBodyRequested();
  }

  // ---- reading

  // HOT: once per read.
  receive(chunk: Buffer): void {
    if (this.#ending.hasEnded) return;
    const { input } = this;
    if (input.isServeScheduled) {
      input.add(chunk);
      this.engine.runOutside(() => this.serveRead());
      return;
    }
    const { isBlocked } = this.#backpressure;
    const isFirst = input.bytes.length === 0 && this.queue.receiving === undefined;
    const { isInHead } = this.#phases;
    input.add(chunk);
    if (isBlocked) pauseReading(this.socket);
    else if (isFirst) this.#serveLater();
    else if (!isInHead || !input.isInsideLine(chunk, this.engine.limits.headBytes))
      this.engine.runOutside(() => this.#consume());
  }

  /** The first bytes of a request are served with those of other connections. */
  #serveLater(): void {
    this.input.isServeScheduled = true;
    this.engine.reads.add(this);
  }

  /** Serves what was read, if it was not served yet. */
  serveRead(): void {
    if (!this.input.isServeScheduled) return;
    this.input.isServeScheduled = false;
    // Code of another request of this turn may have destroyed the socket.
    if (!this.#ending.hasEnded && !this.socket.destroyed) this.#consume();
  }

  // HOT: once per read.
  #consume(): void {
    this.#isConsuming = true;
    let isDone = false;
    try {
      while (!this.input.isServed && this.#step());
      isDone = true;
    } finally {
      this.#isConsuming = false;
      // If a handler throws, the error is not caught here, and the requests after this one are still served.
      if (!isDone) this.#continueLater();
      // The end goes to this connection or to node, whoever has the socket now, before reading may be paused.
      if (this.#hasDeferredEnd && !this.defersEnd()) this.socket.push(null);
      this.#settleRead();
    }
  }

  // HOT: once per read.
  /** If all requests were served, writing may wait for the responses of other connections. */
  #settleRead(): void {
    const isServed = this.input.isServed && this.queue.receiving === undefined;
    if (isServed && !this.output.isEmpty) this.engine.writes.add(this);
    else this.settle();
  }

  /** Serves the next part of the input. @returns False if the connection must wait. */
  #step(): boolean {
    const { input } = this;
    if (this.queue.receiving !== undefined) return this.queue.receiveBody(input);
    if (this.#ending.hasEnded || !this.#mayStart()) return false;
    return this.#startRequest(input.bytes, input.position);
  }

  #mayStart(): boolean {
    if (this.queue.isComplete) return this.#ignoreRest();
    const { output } = this;
    if (output.isLong) output.flush();
    if (this.#backpressure.blocksNext()) return false;
    const { watchedBy } = this.engine;
    if (watchedBy !== undefined) return this.#handOver(watchedBy);
    return true;
  }

  /** Node's parser allows empty lines after the last request, and nothing else. */
  #ignoreRest(): boolean {
    const { rest } = this.input;
    this.input.clear();
    if (this.queue.last?.isLimitReached === true || rest.every((byte) => byte === 0x0d || byte === 0x0a))
      return false;
    this.fail(new ParseError('HPE_CLOSED_CONNECTION', 'Data after `Connection: close`', rest));
    return false;
  }

  // HOT: once per request.
  #startRequest(bytes: Buffer, start: number): boolean {
    const { limits, methods } = this.engine;
    const reader = this.#reader;
    const end = reader.read(bytes, start, methods, limits.fieldCount);
    if (end <= 0) return this.#rejectHead(end);
    if (end - start >= limits.headBytes) return this.#handOver('head-too-large');
    const fields = reader.fields!;
    if (fields.saysClose && bytes.length > end + fields.contentLength)
      return this.#handOver('data-after-close');
    const exchange = new EngineExchange(this, reader.method, reader.readTarget(bytes), fields);
    this.queue.add(exchange, limits.maxRequests);
    this.input.position = end;
    if (exchange.body !== undefined) this.queue.receiveBody(this.input);
    this.engine.serve(exchange);
    return true;
  }

  /** Handles a head that is not complete, or that the engine does not serve. */
  #rejectHead(code: number): boolean {
    if (code === incomplete) {
      return this.input.rest.length >= this.engine.limits.headBytes && this.#handOver('head-too-large');
    }
    if (code !== invalidHost) return this.#handOver(reasonOf(code));
    if (this.#backpressure.blocksUntilAnswered()) return false;
    this.engine.counters.refused++;
    this.fail(new ParseError('HPE_INVALID_HEADER_TOKEN', 'Invalid Host', this.input.rest));
    return false;
  }

  // ---- writing

  // HOT: once per read, or per answer that comes later.
  /** Writes the collected responses, and checks the state of the connection. */
  settle(): void {
    this.output.flush();
    if (this.#ending.hasEnded) return;
    if (this.input.isServed) this.input.clear();
    this.#backpressure.update();
    const { isBlocked } = this.#backpressure;
    const isBodyFull = this.queue.receiving?.body?.takePauseRequest() === true;
    if (isBlocked || isBodyFull) pauseReading(this.socket);
    this.#phases.update();
    if ((this.engine.isClosing || this.#isHalfClosed) && this.isIdle) this.#ending.afterResponses();
    // The connection did not wait for the client, so nothing else would resume it.
    else if (!isBlocked && this.socket.isPaused() && this.queue.receiving === undefined)
      this.#continueLater();
  }

  /** Responses that are ready together are sent together. */
  #settleLater(): void {
    if (this.queue.first === undefined) {
      this.engine.writes.add(this);
      return;
    }
    if (this.#willFlush) return;
    this.#willFlush = true;
    process.nextTick(() => {
      this.#willFlush = false;
      if (!this.#ending.hasEnded) this.settle();
    });
  }

  #continueLater(): void {
    process.nextTick(() => this.#continue());
  }

  #continue(): void {
    if (this.#ending.hasEnded || this.#isConsuming) return;
    this.#backpressure.isBlocked = false;
    this.#resume();
    if (this.input.bytes.length > 0) this.engine.runOutside(() => this.#consume());
  }

  /** The next request must not see the async context of the one that made it wait. */
  #resume(): void {
    if (this.socket.isPaused()) this.engine.runOutside(() => this.socket.resume());
  }

  onDrain(): void {
    emitDrain(this.socket);
    if (this.#backpressure.isBlocked) this.#continue();
  }

  // ---- the end of the connection

  /** Gives the connection to node after all earlier requests have their responses. */
  #handOver(reason: HandOverReason): boolean {
    if (this.#backpressure.blocksUntilAnswered()) return false;
    this.#ending.handOver(reason);
    return false;
  }

  /**
   * Called when the client has ended its side, before the stream knows. What was read in the same turn must be served first, or put back
   * into the stream for node, which is not possible after its end.
   *
   * @returns Whether the end has to wait.
   */
  defersEnd(): boolean {
    this.#hasDeferredEnd = this.input.isServeScheduled;
    return this.#hasDeferredEnd;
  }

  /** Called when the client has closed its side. */
  onEnd(): void {
    if (this.input.isServeScheduled) this.engine.runOutside(() => this.serveRead());
    if (this.#ending.hasEnded) return;
    this.output.flush();
    if (
      this.queue.receiving !== undefined ||
      (this.input.bytes.length > 0 && !this.#backpressure.isBlocked)
    ) {
      this.fail(new ParseError('HPE_INVALID_EOF_STATE', 'Invalid EOF state', this.input.rest));
    } else if (!this.engine.limits.allowsHalfOpen || this.queue.last === undefined) this.socket.end();
    else this.#isHalfClosed = true;
  }

  /** Ends the connection with the events and the response of node. */
  fail(error: Error): void {
    this.#ending.fail(error);
  }

  onSocketError(error: Error): void {
    this.#ending.onSocketError(error);
  }

  onClosed(): void {
    this.#ending.onClosed();
  }

  onTimeout(): boolean {
    return this.input.isServeScheduled || this.queue.first?.emitTimeout(this.socket) === true;
  }

  /** The requests without a complete response, in their order. */
  get exchanges(): EngineExchange[] {
    const exchanges: EngineExchange[] = [];
    for (let each = this.queue.first; each !== undefined; each = each.next) exchanges.push(each);
    return exchanges;
  }

  get state(): ConnectionState {
    return this.#phases.state;
  }

  /** Whether the connection is between two requests, or before the first. */
  get isIdle(): boolean {
    return this.#phases.isIdle;
  }

  /** Ends the connection if it is between two requests, and the client has got every response. */
  closeIfIdle(): void {
    this.#phases.closeIfIdle();
  }

  /** Ends the connection if one of its time limits is over. */
  checkLimits(): void {
    this.#phases.checkLimits();
  }
}
