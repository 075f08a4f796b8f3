/** Owns one connection that the engine serves: its bytes, the order of its requests and responses, and when it goes to node. */
import type { Socket } from 'node:net';
import { Ending, ParseError } from './ending.ts';
import type { ServerEngine } from './engine.ts';
import { EngineExchange } from './engine-exchange.ts';
import { Phases } from './limits.ts';
import { Output } from './output.ts';
import { HeadReader } from './read-head.ts';
import { type HandOverReason, incomplete, invalidHost, reasonOf } from './reasons.ts';
import { pauseReading } from './socket-listeners.ts';

/** The number of requests of one connection that are served at the same time. Further requests are not read yet. */
const maxConcurrent = 64;

export class Connection {
  readonly engine: ServerEngine;
  readonly socket: Socket;
  readonly input: Input = new Input();
  readonly output: Output;
  readonly queue: RequestQueue = new RequestQueue();
  readonly ending: Ending;
  readonly phases: Phases;
  readonly #reader: HeadReader;
  #isConsuming = false;
  #willFlush = false;
  /** Whether the next request waits: until the client reads, or until earlier requests have their responses. */
  #isBlocked = false;
  /** Reading continues when fewer requests than this are being served. */
  #resumesBelow = maxConcurrent;
  /** Whether the client has ended its side, and still gets its responses. */
  #isHalfClosed = false;
  /** Whether the socket gets the end of its input later, because bytes before it were not served yet. */
  #hasDeferredEnd = false;

  constructor(engine: ServerEngine, socket: Socket) {
    this.engine = engine;
    this.socket = socket;
    this.#reader = new HeadReader(engine.methods, engine.limits);
    this.output = new Output(socket);
    this.ending = new Ending(this);
    this.phases = new Phases(this);
  }

  // ---- called by exchanges

  /** Whether the response should be the last one, because the server is closing and no further request waits. */
  get endsSoon(): boolean {
    return this.engine.isClosing && this.queue.count === 1 && this.input.isServed;
  }

  /** Called when something reads a body. */
  onBodyRequested(): void {
    if (this.queue.receiving !== undefined && !this.#isBlocked) this.#resume();
  }

  // HOT: once per request.
  /** Called when the response of the first exchange has been written or collected. */
  onAnswered(exchange: EngineExchange): void {
    const next = this.queue.removeFirst();
    if (exchange.body !== undefined || exchange.hasRawRequest) {
      exchange.drainBody();
      if (this.queue.receiving === exchange) this.onBodyRequested();
    }
    if (exchange.isLast) {
      this.ending.afterResponses();
      return;
    }
    next?.takeTurn();
    if (this.#isConsuming) return;
    // Responses that are ready together are sent together: with those of other connections, or with the next ones of this connection.
    if (this.queue.first === undefined) this.engine.writes.add(this);
    else if (!this.#willFlush) {
      this.#willFlush = true;
      process.nextTick(() => {
        this.#willFlush = false;
        if (!this.ending.hasEnded) this.settle();
      });
    }
  }

  // ---- reading

  // HOT: once per read.
  receive(chunk: Buffer): void {
    if (this.ending.hasEnded) return;
    const { input } = this;
    if (input.isServeScheduled) {
      input.add(chunk);
      this.engine.runOutside(() => this.serveRead());
      return;
    }
    const isFirst = input.bytes.length === 0 && this.queue.receiving === undefined;
    input.add(chunk);
    if (this.#isBlocked) pauseReading(this.socket);
    else if (isFirst) {
      // The first bytes of a request are served with those of other connections.
      input.isServeScheduled = true;
      this.engine.reads.add(this);
    } else if (!this.phases.isInHead || !input.isInsideLine(chunk, this.engine.limits.headBytes))
      this.engine.runOutside(() => this.#consume());
  }

  /** Serves what was read, if it was not served yet. */
  serveRead(): void {
    if (!this.input.isServeScheduled) return;
    this.input.isServeScheduled = false;
    // Code of another request of this turn may have destroyed the socket.
    if (!this.ending.hasEnded && !this.socket.destroyed) this.#consume();
  }

  // HOT: once per read.
  #consume(): void {
    this.#isConsuming = true;
    let isDone = false;
    try {
      while (!this.input.isServed && this.#serveNext());
      isDone = true;
    } finally {
      this.#isConsuming = false;
      // If a handler throws, the error is not caught here, and the requests after this one are still served.
      if (!isDone) this.#continueLater();
      // The end goes to this connection or to node, whoever has the socket now, before reading may be paused.
      if (this.#hasDeferredEnd && !this.defersEnd()) this.socket.push(null);
      // If all requests were served, writing may wait for the responses of other connections.
      const isServed = this.input.isServed && this.queue.receiving === undefined;
      if (isServed && !this.output.isEmpty) this.engine.writes.add(this);
      else this.settle();
    }
  }

  /** Serves the next part of the input. @returns False if the connection must wait. */
  #serveNext(): boolean {
    const { engine, input, output, queue } = this;
    if (queue.receiving !== undefined) return queue.receiveBody(input);
    if (this.ending.hasEnded) return false;
    if (queue.isComplete) return this.#ignoreRest();
    if (output.isLong) output.flush();
    this.#resumesBelow = maxConcurrent;
    this.#isBlocked = this.socket.writableNeedDrain || queue.count >= maxConcurrent;
    if (this.#isBlocked) return false;
    if (engine.watchedBy !== undefined) return this.#handOver(engine.watchedBy);
    return this.#startRequest(input.bytes, input.position);
  }

  /** Node's parser allows empty lines after the last request, and nothing else. */
  #ignoreRest(): boolean {
    const { rest } = this.input;
    this.input.clear();
    if (this.queue.last?.isLimitReached === true || rest.every((byte) => byte === 0x0d || byte === 0x0a))
      return false;
    this.ending.fail(new ParseError('HPE_CLOSED_CONNECTION', 'Data after `Connection: close`', rest));
    return false;
  }

  // HOT: once per request.
  #startRequest(bytes: Buffer, start: number): boolean {
    const { engine } = this;
    const reader = this.#reader;
    const end = reader.read(bytes, start);
    if (end <= 0) return this.#rejectHead(end);
    if (end - start >= engine.limits.headBytes) return this.#handOver('head-too-large');
    const fields = reader.fields!;
    if (fields.saysClose && bytes.length > end + fields.contentLength)
      return this.#handOver('data-after-close');
    const exchange = new EngineExchange(this, reader.method, reader.target, fields);
    this.queue.add(exchange, engine.server.maxRequestsPerSocket);
    this.input.position = end;
    if (exchange.body !== undefined) this.queue.receiveBody(this.input);
    engine.serve(exchange);
    return true;
  }

  /** Handles a head that is not complete, or that the engine does not serve. */
  #rejectHead(code: number): boolean {
    if (code === incomplete) {
      return this.input.rest.length >= this.engine.limits.headBytes && this.#handOver('head-too-large');
    }
    if (code !== invalidHost) return this.#handOver(reasonOf(code));
    if (this.#waitsForResponses()) return false;
    this.engine.counters.refused++;
    this.ending.fail(new ParseError('HPE_INVALID_HEADER_TOKEN', 'Invalid Host', this.input.rest));
    return false;
  }

  /** Gives the connection to node after all earlier requests have their responses. */
  #handOver(reason: HandOverReason): false {
    if (!this.#waitsForResponses()) this.ending.handOver(reason);
    return false;
  }

  /** Makes the next request wait until all earlier ones have their responses. @returns Whether it has to. */
  #waitsForResponses(): boolean {
    this.#resumesBelow = 1;
    this.#isBlocked = this.queue.first !== undefined;
    return this.#isBlocked;
  }

  // ---- writing

  // HOT: once per read, or per answer that comes later.
  /** Writes the collected responses, and checks the state of the connection. */
  settle(): void {
    this.output.flush();
    if (this.ending.hasEnded) return;
    if (this.input.isServed) this.input.clear();
    this.#isBlocked &&= this.socket.writableNeedDrain || this.queue.count >= this.#resumesBelow;
    const isBodyFull = this.queue.receiving?.body?.takePauseRequest() === true;
    if (this.#isBlocked || isBodyFull) pauseReading(this.socket);
    this.phases.update();
    if ((this.engine.isClosing || this.#isHalfClosed) && this.phases.isIdle) this.ending.afterResponses();
    // The connection did not wait for the client, so nothing else would resume it.
    else if (!this.#isBlocked && this.socket.isPaused() && this.queue.receiving === undefined)
      this.#continueLater();
  }

  #continueLater(): void {
    process.nextTick(() => this.#continue());
  }

  #continue(): void {
    if (this.ending.hasEnded || this.#isConsuming) return;
    this.#isBlocked = false;
    this.#resume();
    if (this.input.bytes.length > 0) this.engine.runOutside(() => this.#consume());
  }

  /** The next request must not see the async context of the one that made it wait. */
  #resume(): void {
    if (this.socket.isPaused()) this.engine.runOutside(() => this.socket.resume());
  }

  // ---- events of the socket

  onDrain(): void {
    this.queue.first?.onDrain();
    if (this.#isBlocked) this.#continue();
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
    if (this.ending.hasEnded) return;
    this.output.flush();
    if (this.queue.receiving !== undefined || (this.input.bytes.length > 0 && !this.#isBlocked)) {
      this.ending.fail(new ParseError('HPE_INVALID_EOF_STATE', 'Invalid EOF state', this.input.rest));
    } else if (!this.engine.limits.allowsHalfOpen || this.queue.last === undefined) this.socket.end();
    else this.#isHalfClosed = true;
  }

  /** @returns Whether something handles the silence of the socket. */
  onTimeout(): boolean {
    return this.input.isServeScheduled || this.queue.first?.emitTimeout(this.socket) === true;
  }
}

/** A shorter head is scanned again with each piece that arrives, a longer one only when a line ends in the piece. */
const shortHeadBytes = 1024;

const nothing = Buffer.alloc(0);

/** The bytes of a connection that were read but not served. */
class Input {
  bytes: Buffer = nothing;
  /** The position of the first byte that was not served. */
  position = 0;
  /** Whether bytes were read that will be served later in this turn. */
  isServeScheduled = false;

  get isServed(): boolean {
    return this.position >= this.bytes.length;
  }

  // HOT: once per read.
  add(chunk: Buffer): void {
    this.bytes = this.bytes.length === 0 ? chunk : Buffer.concat([this.bytes.subarray(this.position), chunk]);
    this.position = 0;
  }

  /** Whether a long head cannot be complete yet, because no line ends in the piece that arrived last. */
  isInsideLine(piece: Buffer, maxHeadBytes: number): boolean {
    const { length } = this.bytes;
    return length > shortHeadBytes && length < maxHeadBytes && isPlainText(piece);
  }

  get rest(): Buffer {
    return this.bytes.subarray(this.position);
  }

  clear(): void {
    this.bytes = nothing;
    this.position = 0;
  }
}

/** Whether a piece contains neither the end of a line nor another control character. */
function isPlainText(piece: Buffer): boolean {
  for (let i = 0; i < piece.length; i++) if (piece[i]! < 0x20 || piece[i] === 0x7f) return false;
  return true;
}

/** The requests of a connection that have no response yet, in order, and the one whose body is still arriving. */
class RequestQueue {
  first: EngineExchange | undefined = undefined;
  last: EngineExchange | undefined = undefined;
  count = 0;
  /** All requests of the connection, including those with responses. */
  total = 0;
  /** Whether a request said that it is the last one, or reached the server's limit. */
  isComplete = false;
  /** The request whose body has not arrived completely. */
  receiving: EngineExchange | undefined = undefined;

  // HOT: once per request.
  /** @param maxRequests After this number, the server accepts no more; 0 and `null` mean no limit. */
  add(exchange: EngineExchange, maxRequests: number | null): void {
    if (++this.total === maxRequests) {
      exchange.isLimitReached = true;
      exchange.isLast = true;
    }
    if (exchange.isLast) this.isComplete = true;
    if (exchange.body !== undefined) this.receiving = exchange;
    if (this.last === undefined) this.first = exchange;
    else this.last.next = exchange;
    this.last = exchange;
    this.count++;
  }

  // HOT: once per request.
  /** @returns The exchange whose turn it is now. */
  removeFirst(): EngineExchange | undefined {
    const next = this.first?.next;
    this.first = next;
    if (next === undefined) this.last = undefined;
    this.count--;
    return next;
  }

  // HOT: once per read of a body.
  /** Passes the bytes that were read to the body that is still arriving. @returns Whether the body is complete. */
  receiveBody(input: Input): boolean {
    const body = this.receiving!.body!;
    input.position = body.receive(input.bytes, input.position);
    if (body.missingBytes > 0) return false;
    this.receiving = undefined;
    return true;
  }

  /** The requests without a complete response, in their order. */
  list(): EngineExchange[] {
    const exchanges: EngineExchange[] = [];
    for (let each = this.first; each !== undefined; each = each.next) exchanges.push(each);
    return exchanges;
  }

  /** Empties the queue, and tells each exchange that the client has closed the connection. */
  close(): void {
    const { receiving } = this;
    let exchange = this.first;
    this.receiving = undefined;
    this.first = undefined;
    this.last = undefined;
    this.count = 0;
    // If it has its response already, it is no longer in the queue.
    if (receiving !== undefined && !receiving.isDestroyed) receiving.onClosed();
    for (; exchange !== undefined; exchange = exchange.next) if (!exchange.isDestroyed) exchange.onClosed();
  }
}
