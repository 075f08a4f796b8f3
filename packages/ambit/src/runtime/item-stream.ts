/**
 * Reads async iterables item by item, as fast as the client receives them, into the bytes of responses. Manages these streams: their
 * heartbeats, and their end when the application closes.
 */

import { Readable } from 'node:stream';
import { unrefTimer } from '../shared/js-runtime.ts';
import { messageOf, readField } from '../shared/thrown-values.ts';
import { AsyncIterableSent, ItemInvalid, StreamClosing } from '../types/errors.ts';
import { contentTypeOf, type Exchange } from '../types/exchange.ts';
import type { ItemFormat } from '../types/plan.ts';
import { streamErrorJson } from './error-reply.ts';
import { ensureError, log, publishFailure } from './exchange.ts';
import { type Framing, framings, setStreamHeaders } from './item-framing.ts';
import { abortForClient, stopWork } from './request-monitor.ts';
import { cutOff, fail, isCurrent, startReply } from './run-steps.ts';

/** Sends an async iterable with the item schema of the route. */
export function sendItems(x: Exchange, iterable: AsyncIterable<unknown>): void {
  const iterator = iterable[Symbol.asyncIterator]();
  if (x.method === 'HEAD') {
    sendHead(x, iterator);
    return;
  }
  const { server } = x.plan;
  server.streams ??= new OpenStreams();
  new ItemStream(x, iterator, server.streams as OpenStreams).start();
}

/** Replies to HEAD. No items are read, so a generator does not start. */
function sendHead(x: Exchange, iterator: AsyncIterator<unknown>): void {
  closeIterator(iterator, (error) => log(x, 'warn', { err: error }, 'a stream could not be closed'));
  const format = x.plan.items!.pick(x.status, contentTypeOf(x));
  if (format === undefined) throw new AsyncIterableSent();
  setStreamHeaders(x, format);
  // A stream, because the length of the response to GET is not known.
  startReply(x, Readable.from([]), x.plan.steps.deliverAt);
}

/**
 * Tells an iterator that no more items are read. A generator then runs its `finally`: at once, or when the promise that it awaits has
 * settled.
 */
function closeIterator(iterator: AsyncIterator<unknown>, report: (error: unknown) => void): void {
  try {
    Promise.resolve(iterator.return?.()).catch(report);
  } catch (error) {
    report(error);
  }
}

/** Items that are available at the same time are sent together, up to this size. */
const batchCharacters = 16_384;

/**
 * One stream, which is also the payload of its reply. It starts the path of the reply with the first item. So an error before that is handled
 * like any other error, and the handler can still set status and headers.
 */
class ItemStream extends Readable {
  readonly #x: Exchange;
  readonly #iterator: AsyncIterator<unknown>;
  readonly #registry: OpenStreams;
  readonly #responseEpoch: number;
  #format!: ItemFormat;
  #framing!: Framing;
  #itemCount = 0;
  /** Whether the path of the reply was started. */
  #isOpen = false;
  #isReading = false;
  /** Whether the iterable has no more items. */
  #hasEnded = false;
  #isStopped = false;
  #isClosing = false;
  /** The framed text that was not passed on yet. */
  #pending = '';
  /** Whether the pending text is the end of the content. */
  #isComplete = false;
  #isTextRequested = false;
  #isFlushing = false;
  #heartbeatTimer: NodeJS.Timeout | undefined;
  /** Set when the application closes. */
  #deadlineTimer: NodeJS.Timeout | undefined;

  constructor(x: Exchange, iterator: AsyncIterator<unknown>, registry: OpenStreams) {
    super({ highWaterMark: 0 });
    this.#x = x;
    this.#iterator = iterator;
    this.#registry = registry;
    this.#responseEpoch = x.responseEpoch;
  }

  start(): void {
    const x = this.#x;
    x.onceClosed((error) => {
      // The signal aborts first, because an iterable that waits for it cannot run its `finally` before.
      if (error != null && !this.#isStopped) abortForClient(x);
      this.#stop();
    });
    const { heartbeatMs } = x.plan.streamSettings!;
    if (heartbeatMs !== false)
      this.#heartbeatTimer = unrefTimer(setInterval(() => this.#sendHeartbeat(), heartbeatMs));
    this.#registry.add(this);
    this.#readItem();
  }

  #sendHeartbeat(): void {
    if (this.#isStopped || this.#hasEnded) return;
    const canWrite = this.#isOpen
      ? this.#isTextRequested && this.#pending === ''
      : this.#isCurrent && this.#chooseFormat();
    const heartbeat = canWrite ? this.#framing.heartbeat : undefined;
    if (heartbeat === undefined) return;
    if (!this.#isOpen) this.#open(heartbeat);
    else {
      this.#pending = heartbeat;
      this.#flush();
    }
  }

  /** Tells the handler that the application is closing. The stream is cut off if it does not end in time. */
  announceClose(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    const { closeMs } = this.#x.plan.streamSettings!;
    this.#deadlineTimer = unrefTimer(setTimeout(() => this.#forceEnd(), closeMs));
    stopWork(this.#x, new StreamClosing());
  }

  /** Ends the stream, whatever its handler does. */
  #forceEnd(): void {
    const x = this.#x;
    log(x, 'warn', 'a stream went on after the application had begun to close: it is cut');
    if (!this.#isOpen && this.#isCurrent) fail(x, new StreamClosing());
    else x.destroy();
    this.#stop();
  }

  get #isCurrent(): boolean {
    return isCurrent(this.#x, this.#responseEpoch);
  }

  /** Stops reading. Calls `return` of the iterator, unless it has ended. */
  #stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    clearInterval(this.#heartbeatTimer);
    clearTimeout(this.#deadlineTimer);
    this.#registry.delete(this);
    if (!this.#hasEnded) closeIterator(this.#iterator, (error) => this.#reportAfterEnd(error));
  }

  #readItem(): void {
    if (this.#isReading || this.#isStopped || this.#hasEnded) return;
    this.#isReading = true;
    try {
      Promise.resolve(this.#iterator.next()).then(this.#onResult, this.#fail);
    } catch (error) {
      this.#fail(error);
    }
  }

  readonly #onResult = (result: IteratorResult<unknown>): void => {
    this.#isReading = false;
    if (this.#isStopped) return;
    if (!this.#isOpen && !this.#isCurrent) {
      // Something else has replied in the meantime, for example a time limit.
      this.#stop();
      return;
    }
    try {
      if (result.done) this.#end();
      else this.#add(result.value);
    } catch (error) {
      // The iterable itself has not failed, so it must be closed.
      closeIterator(this.#iterator, (error) => this.#reportAfterEnd(error));
      this.#fail(error);
    }
  };

  #add(item: unknown): void {
    if (!this.#isOpen && !this.#chooseFormat()) throw new AsyncIterableSent();
    const framed = this.#frame(item);
    this.#itemCount++;
    if (this.#isOpen) this.#append(framed);
    else this.#open(framed);
    if (this.#isTextRequested && this.#pending.length < batchCharacters) this.#readItem();
  }

  #frame(item: unknown): string {
    try {
      return this.#framing.frame(this.#format.serialize(item as never), this.#itemCount === 0);
    } catch (error) {
      const { method, url } = this.#x.plan.info;
      throw ItemInvalid.at({ cause: error }, this.#itemCount, `${method} ${url}`, messageOf(error));
    }
  }

  /** Chooses the format by the status and the Content-Type that the handler has set before. Returns whether there is one. */
  #chooseFormat(): boolean {
    const x = this.#x;
    const format = x.plan.items!.pick(x.status, contentTypeOf(x));
    if (format === undefined) return false;
    this.#format = format;
    this.#framing = framings[format.mediaType];
    return true;
  }

  /** Starts the path of the reply, with the first text. */
  #open(text: string): void {
    const x = this.#x;
    setStreamHeaders(x, this.#format);
    this.#isOpen = true;
    this.#pending = this.#framing.start + text;
    startReply(x, this, x.plan.steps.deliverAt);
  }

  #end(): void {
    const x = this.#x;
    const hasFormat = this.#isOpen || this.#chooseFormat();
    this.#hasEnded = true;
    if (!hasFormat) {
      // A status without content, such as 204, which tells clients of event streams not to connect again.
      this.#stop();
      startReply(x, undefined, x.plan.steps.deliverAt);
      return;
    }
    if (!this.#isOpen) this.#open('');
    this.#complete(this.#framing.end);
  }

  readonly #fail = (thrown: unknown): void => {
    this.#isReading = false;
    this.#hasEnded = true;
    const error = ensureError(thrown);
    if (this.#isStopped) this.#reportAfterEnd(error);
    else if (this.#isOpen) this.#failAfterStart(error);
    else {
      this.#stop();
      if (this.#isCurrent) fail(this.#x, this.#isClosing ? StreamClosing.at({ cause: error }) : error);
    }
  };

  /** Handles an error after the head was sent: it can only be written into the content, or the response is cut off. */
  #failAfterStart(error: unknown): void {
    const x = this.#x;
    const { frameError } = this.#framing;
    if (!this.#isAbort(error)) {
      x.plan.logWriter.streamError(error as Error, x.request, x.reply);
      publishFailure(x, error);
    }
    // When the application closes, no error is written, because clients then connect again.
    if (frameError !== undefined)
      this.#complete(this.#isClosing ? '' : frameError(streamErrorJson(x, error)));
    else {
      this.#flush();
      this.#stop();
      // In a later turn, because node may hold back written data until then.
      setImmediate(() => cutOff(x, error));
    }
  }

  /** Logs an error after the response has ended, because no client can get it. */
  #reportAfterEnd(error: unknown): void {
    if (!this.#isAbort(error))
      log(this.#x, 'warn', { err: error }, 'a stream failed after its response had ended');
  }

  /** Whether an iterable has only stopped because its client left or the application closes. This is not a failure. */
  #isAbort(error: unknown): boolean {
    const isStopped = this.#isStopped || this.#isClosing;
    return isStopped && (readField(error, 'name') === 'AbortError' || error === this.#x.monitor?.abortReason);
  }

  override _read(): void {
    this.#isTextRequested = true;
    if (this.#pending !== '' || this.#isComplete) this.#flushSoon();
    this.#readItem();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#stop();
    done(error);
  }

  #append(text: string): void {
    this.#pending += text;
    this.#flushSoon();
  }

  /** Adds the last text. */
  #complete(text: string): void {
    this.#isComplete = true;
    this.#append(text);
  }

  /**
   * Flushes in a later turn, so that items that are available at the same time are sent together, and other requests are served in between.
   */
  #flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => {
      this.#isFlushing = false;
      this.#flush();
    });
  }

  /** Passes on the pending text, if the reader has requested more. */
  #flush(): void {
    if (!this.#isTextRequested || this.#isStopped) return;
    const text = this.#pending;
    if (text === '' && !this.#isComplete) return;
    this.#pending = '';
    this.#isTextRequested = false;
    if (text !== '') this.push(text);
    if (this.#isComplete) this.push(null);
  }
}

/** The streams that an application sends. */
class OpenStreams {
  readonly #streams = new Set<ItemStream>();
  #isClosing = false;

  add(stream: ItemStream): void {
    this.#streams.add(stream);
    if (this.#isClosing) stream.announceClose();
  }

  delete(stream: ItemStream): void {
    this.#streams.delete(stream);
  }

  /** Tells every stream that the application closes, also those that begin later. Called at each step of closing. */
  close(): void {
    this.#isClosing = true;
    for (const stream of [...this.#streams]) stream.announceClose();
  }
}
