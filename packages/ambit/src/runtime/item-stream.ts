/** Reads an async iterable item by item, as fast as the client receives them, into the bytes of a response. */

import { Readable } from 'node:stream';
import { messageOf, readField } from '../shared/thrown-values.ts';
import { AsyncIterableSent, ItemInvalid, StreamClosing } from '../types/errors.ts';
import { contentTypeOf, type Exchange } from '../types/exchange.ts';
import type { ItemFormat } from '../types/plan.ts';
import { streamErrorJson } from './error-reply.ts';
import { ensureError, log, publishFailure } from './exchange.ts';
import { type Framing, framings, setStreamHeaders } from './item-framing.ts';
import { type OpenStream, OpenStreams } from './open-streams.ts';
import { abortForClient, stopWork } from './request-monitor.ts';
import { cutOff, fail, isCurrent, startPath } from './run-steps.ts';

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
  x.payload = Readable.from([]);
  startPath(x, x.plan.steps.reply, x.plan.steps.deliverAt);
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

/**
 * One stream. It starts the path of the reply with the first item. So an error before that is handled like any other error, and the handler
 * can still set status and headers.
 */
class ItemStream implements OpenStream {
  readonly heartbeatMs: number | false;
  readonly closeMs: number;
  readonly #x: Exchange;
  readonly #iterator: AsyncIterator<unknown>;
  readonly #registry: OpenStreams;
  readonly #responseEpoch: number;
  /** Set when the path of the reply was started. */
  #bytes: ItemBytes | undefined = undefined;
  #format!: ItemFormat;
  #framing!: Framing;
  #itemCount = 0;
  #isReading = false;
  /** Whether the iterable has no more items. */
  #hasEnded = false;
  #isStopped = false;
  #isClosing = false;

  constructor(x: Exchange, iterator: AsyncIterator<unknown>, registry: OpenStreams) {
    const { heartbeatMs, closeMs } = x.plan.streamSettings!;
    this.heartbeatMs = heartbeatMs;
    this.closeMs = closeMs;
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
      this.stop();
    });
    this.#registry.add(this);
    this.#read();
  }

  /** Stops reading. Calls `return` of the iterator, unless it has ended. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#bytes?.stop();
    this.#registry.delete(this);
    if (!this.#hasEnded) closeIterator(this.#iterator, (error) => this.#reportAfterEnd(error));
  }

  onRead(): void {
    if (!this.#hasEnded) this.#read();
  }

  sendHeartbeat(): void {
    if (this.#isStopped || this.#hasEnded) return;
    const bytes = this.#bytes;
    const canWrite = bytes === undefined ? this.#isCurrent && this.#chooseFormat() : bytes.isReaderWaiting;
    if (!canWrite) return;
    const { heartbeat } = this.#framing;
    if (heartbeat === undefined) return;
    if (bytes === undefined) this.#open(heartbeat);
    else bytes.addAndFlush(heartbeat);
  }

  announceClose(): void {
    this.#isClosing = true;
    stopWork(this.#x, new StreamClosing());
  }

  forceEnd(): void {
    const x = this.#x;
    log(x, 'warn', 'a stream went on after the application had begun to close: it is cut');
    if (this.#bytes === undefined && this.#isCurrent) fail(x, new StreamClosing());
    else x.destroy();
    this.stop();
  }

  get #isCurrent(): boolean {
    return isCurrent(this.#x, this.#responseEpoch);
  }

  #read(): void {
    if (this.#isReading || this.#isStopped) return;
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
    if (this.#bytes === undefined && !this.#isCurrent) {
      // Something else has replied in the meantime, for example a time limit.
      this.stop();
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
    if (this.#bytes === undefined && !this.#chooseFormat()) throw new AsyncIterableSent();
    const framed = this.#frame(item);
    this.#itemCount++;
    if (this.#bytes === undefined) this.#open(framed);
    else this.#bytes.add(framed);
    if (this.#bytes!.hasRoom) this.#read();
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

  /** Writes the first text, which starts the path of the reply. */
  #open(text: string): void {
    const x = this.#x;
    setStreamHeaders(x, this.#format);
    this.#bytes = new ItemBytes(this, this.#framing.start + text);
    x.payload = this.#bytes;
    startPath(x, x.plan.steps.reply, x.plan.steps.deliverAt);
  }

  #end(): void {
    const x = this.#x;
    if (this.#bytes === undefined && !this.#chooseFormat()) {
      // A status without content, such as 204, which tells clients of event streams not to connect again.
      this.#hasEnded = true;
      this.stop();
      x.payload = undefined;
      startPath(x, x.plan.steps.reply, x.plan.steps.deliverAt);
      return;
    }
    this.#hasEnded = true;
    if (this.#bytes === undefined) this.#open('');
    this.#bytes!.complete(this.#framing.end);
  }

  readonly #fail = (thrown: unknown): void => {
    this.#isReading = false;
    this.#hasEnded = true;
    const error = ensureError(thrown);
    if (this.#isStopped) this.#reportAfterEnd(error);
    else if (this.#bytes !== undefined) this.#failAfterStart(error);
    else {
      this.stop();
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
    if (frameError === undefined) {
      this.#bytes!.flush();
      this.stop();
      // In a later turn, because node may hold back written data until then.
      setImmediate(() => cutOff(x, error));
      return;
    }
    // When the application closes, no error is written, because clients then connect again.
    this.#bytes!.complete(this.#isClosing ? '' : frameError(streamErrorJson(x, error)));
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
}

/** Items that are available at the same time are sent together, up to this size. */
const batchCharacters = 16_384;

/** The content of the response. Its source is called when the reader requests more, and when it is destroyed or has read everything. */
class ItemBytes extends Readable {
  readonly #source: ItemStream;
  /** The framed text that was not passed on yet. */
  #pending: string;
  #isReadRequested = false;
  #isFlushing = false;
  /** Whether the pending text is the end of the content. */
  #isComplete = false;
  #isStopped = false;

  constructor(source: ItemStream, start: string) {
    super({ highWaterMark: 0 });
    this.#source = source;
    this.#pending = start;
  }

  /** Whether the reader waits, and there is no pending text for it. */
  get isReaderWaiting(): boolean {
    return this.#isReadRequested && this.#pending === '';
  }

  /** Whether another item can be sent together with the pending ones. */
  get hasRoom(): boolean {
    return this.#isReadRequested && this.#pending.length < batchCharacters;
  }

  /** Adds text, which is passed on in a later turn. */
  add(text: string): void {
    this.#pending += text;
    this.#flushSoon();
  }

  /** Adds text, and passes it on at once if the reader waits for it. */
  addAndFlush(text: string): void {
    this.#pending += text;
    this.flush();
  }

  /** Adds the last text. */
  complete(text: string): void {
    this.#isComplete = true;
    this.add(text);
  }

  stop(): void {
    this.#isStopped = true;
  }

  override _read(): void {
    this.#isReadRequested = true;
    if (this.#pending !== '' || this.#isComplete) this.#flushSoon();
    this.#source.onRead();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#source.stop();
    done(error);
  }

  /**
   * Flushes in a later turn, so that items that are available at the same time are sent together, and other requests are served in between.
   */
  #flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => {
      this.#isFlushing = false;
      this.flush();
    });
  }

  /** Passes on the pending text, if the reader has requested more. */
  flush(): void {
    if (!this.#isReadRequested || this.#isStopped) return;
    const text = this.#pending;
    this.#pending = '';
    if (text !== '') {
      this.#isReadRequested = false;
      this.push(text);
    }
    if (this.#isComplete) {
      this.#isReadRequested = false;
      this.push(null);
    }
  }
}
