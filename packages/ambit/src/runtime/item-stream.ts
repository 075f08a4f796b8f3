/** Reads an async iterable item by item, at the pace of the client, into the bytes of a response. */
import { Readable } from 'node:stream';
import { AsyncIterableSent, ItemInvalid, StreamClosing } from '../contract/errors.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { ItemFormat } from '../contract/item-format.ts';
import { statusText } from '../shared/http-facts.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import { messageOf, readField } from '../shared/thrown-values.ts';
import { errorStatus } from './error-head.ts';
import { ensureError, translateError } from './errors.ts';
import { type Framing, framings } from './framing.ts';
import { log } from './log.ts';
import type { OpenStream, OpenStreams } from './open-streams.ts';
import { contentTypeOf } from './reply-head.ts';
import { publishFailure } from './request-channels.ts';
import { abort, abortForClient } from './request-signal.ts';
import { cutOff, fail, isCurrent, startPath } from './run-steps.ts';

const loadProblems = lazyModule<typeof import('./problem-details.ts')>(() => require('./problem-details.ts'));

/** Items that are there at once are sent together, up to this size. */
const batchCharacters = 16_384;

/** The bytes of the stream, as `onSend` hooks see them. It asks for more only when it has nothing left. */
class ItemBytes extends Readable {
  readonly #items: ItemStream;

  constructor(items: ItemStream) {
    super({ highWaterMark: 0 });
    this.#items = items;
  }

  override _read(): void {
    this.#items.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#items.stop();
    done(error);
  }
}

/**
 * One stream. It waits for the first item before it starts the path of the reply, so that an error before it is answered like any other, and
 * the handler may still set status and headers.
 */
export class ItemStream implements OpenStream {
  readonly heartbeatMs: number | false;
  readonly closeMs: number;
  readonly #x: Exchange;
  readonly #iterator: AsyncIterator<unknown>;
  readonly #registry: OpenStreams;
  readonly #responseEpoch: number;
  /** Set when the path of the reply has begun. */
  #bytes: ItemBytes | undefined = undefined;
  #format!: ItemFormat;
  #framing!: Framing;
  #itemCount = 0;
  /** Framed, and not yet in `#bytes`. */
  #pending = '';
  /** `#bytes` takes more. */
  #isWanted = false;
  #isReading = false;
  #isFlushing = false;
  /** The iterable gives no more items. */
  #hasEnded = false;
  /** What is pending is the end of the content. */
  #isComplete = false;
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
      // The signal first: an iterable that waits for it cannot come to its `finally` before.
      if (error != null && !this.#isStopped) abortForClient(x);
      this.stop();
    });
    this.#registry.add(this);
    this.#read();
  }

  /** Nothing more is read. The iterable is told, unless it has ended. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#registry.delete(this);
    if (!this.#hasEnded) closeIterator(this.#iterator, (error) => this.#reportLate(error));
  }

  resume(): void {
    this.#isWanted = true;
    if (this.#pending !== '' || this.#isComplete) this.#flushSoon();
    if (!this.#hasEnded) this.#read();
  }

  beat(): void {
    if (this.#isStopped || this.#hasEnded || this.#pending !== '') return;
    if (this.#bytes === undefined && (!this.#isCurrent || !this.#chooseFormat())) return;
    const { heartbeat } = this.#framing;
    if (heartbeat === undefined || (this.#bytes !== undefined && !this.#isWanted)) return;
    this.#pending = heartbeat;
    if (this.#bytes === undefined) this.#open();
    else this.#flush();
  }

  announceClose(): void {
    this.#isClosing = true;
    const reason = translateError(this.#x, new StreamClosing());
    // What `fetch`, node and libraries look for to tell that work was stopped, and has not failed.
    reason.name = 'AbortError';
    abort(this.#x, reason);
  }

  cut(): void {
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
      Promise.resolve(this.#iterator.next()).then(this.#take, this.#fail);
    } catch (error) {
      this.#fail(error);
    }
  }

  readonly #take = (result: IteratorResult<unknown>): void => {
    this.#isReading = false;
    if (this.#isStopped) return;
    if (this.#bytes === undefined && !this.#isCurrent) {
      // Something else has replied meanwhile: a time limit, for example.
      this.stop();
      return;
    }
    try {
      if (result.done) this.#end();
      else this.#add(result.value);
    } catch (error) {
      // The iterable has not failed: it can go on, and is told that nobody reads on.
      closeIterator(this.#iterator, (error) => this.#reportLate(error));
      this.#fail(error);
    }
  };

  #add(item: unknown): void {
    if (this.#bytes === undefined && !this.#chooseFormat()) throw new AsyncIterableSent();
    const framed = this.#frame(item);
    this.#itemCount++;
    this.#pending += framed;
    if (this.#bytes === undefined) this.#open();
    else this.#flushSoon();
    if (this.#pending.length < batchCharacters && this.#isWanted) this.#read();
  }

  #frame(item: unknown): string {
    try {
      return this.#framing.frame(this.#format.serialize(item as never), this.#itemCount === 0);
    } catch (error) {
      const { method, url } = this.#x.plan.info;
      throw ItemInvalid.at({ cause: error }, this.#itemCount, `${method} ${url}`, messageOf(error));
    }
  }

  /** The status and the Content-Type that the handler has set by now decide. */
  #chooseFormat(): boolean {
    const x = this.#x;
    const format = x.plan.items!.pick(x.status, contentTypeOf(x));
    if (format === undefined) return false;
    this.#format = format;
    this.#framing = framings[format.mediaType];
    return true;
  }

  /** Starts the path of the reply. */
  #open(): void {
    const x = this.#x;
    this.#pending = this.#framing.start + this.#pending;
    setStreamHeaders(x, this.#format);
    this.#bytes = new ItemBytes(this);
    x.payload = this.#bytes;
    startPath(x, x.plan.steps.reply, x.plan.steps.deliverAt);
  }

  #end(): void {
    const x = this.#x;
    const isEmpty = this.#bytes === undefined;
    if (isEmpty && !this.#chooseFormat()) {
      // A status without content, such as 204, which tells clients of event streams not to come back.
      this.#hasEnded = true;
      this.stop();
      x.payload = undefined;
      startPath(x, x.plan.steps.reply, x.plan.steps.deliverAt);
      return;
    }
    this.#hasEnded = true;
    this.#isComplete = true;
    this.#pending += this.#framing.end;
    if (isEmpty) this.#open();
    else this.#flushSoon();
  }

  readonly #fail = (thrown: unknown): void => {
    this.#isReading = false;
    this.#hasEnded = true;
    const error = ensureError(thrown);
    if (this.#isStopped) this.#reportLate(error);
    else if (this.#bytes !== undefined) this.#failLate(error);
    else {
      this.stop();
      if (this.#isCurrent) fail(this.#x, this.#isClosing ? StreamClosing.at({ cause: error }) : error);
    }
  };

  /** The head is on its way: what is left is to tell the client in the content, or by cutting it off. */
  #failLate(error: unknown): void {
    const x = this.#x;
    const { frameError } = this.#framing;
    if (!this.#isAbort(error)) {
      x.plan.logLines.streamError(error as Error, x.request, x.reply);
      publishFailure(x, error);
    }
    if (frameError === undefined) {
      this.#flush();
      this.stop();
      // In a later turn: until then, node may hold back what was written.
      setImmediate(() => cutOff(x, error));
      return;
    }
    // With the application, every stream ends, and clients that are not told of an error come back.
    if (!this.#isClosing) this.#pending += frameError(errorJson(x, error));
    this.#isComplete = true;
    this.#flushSoon();
  }

  /** Nobody is left who could be told. */
  #reportLate(error: unknown): void {
    if (!this.#isAbort(error))
      log(this.#x, 'warn', { err: error }, 'a stream failed after its response had ended');
  }

  /** That an iterable gives up when its client leaves, or the application closes, is no failure. */
  #isAbort(error: unknown): boolean {
    const isStopped = this.#isStopped || this.#isClosing;
    return isStopped && (readField(error, 'name') === 'AbortError' || error === this.#x.monitor?.abortReason);
  }

  /** In a later turn, so that items that are there at once are sent together, and other requests are served in between. */
  #flushSoon(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => {
      this.#isFlushing = false;
      this.#flush();
    });
  }

  #flush(): void {
    const bytes = this.#bytes!;
    if (!this.#isWanted || this.#isStopped) return;
    const text = this.#pending;
    this.#pending = '';
    if (text !== '') {
      this.#isWanted = false;
      bytes.push(text);
    }
    if (this.#isComplete) {
      this.#isWanted = false;
      bytes.push(null);
    }
  }
}

export function setStreamHeaders(x: Exchange, { mediaType }: ItemFormat): void {
  const { replyHeaders } = x;
  if (contentTypeOf(x) === undefined)
    replyHeaders['content-type'] =
      mediaType === 'application/json' ? `${mediaType}; charset=utf-8` : mediaType;
  // The length of what is not written yet is not known.
  delete replyHeaders['content-length'];
  if (mediaType !== 'text/event-stream') return;
  replyHeaders['cache-control'] ??= 'no-cache';
  // Without it, nginx collects events until its buffer is full.
  replyHeaders['x-accel-buffering'] ??= 'no';
}

/** Values of the application may throw when they are read or written: then the client gets what the status says. */
function errorJson(x: Exchange, error: unknown): string {
  try {
    return JSON.stringify(describeError(x, error));
  } catch (thrown) {
    log(x, 'warn', { err: thrown }, 'an error of a stream could not be written');
    return JSON.stringify(describeError(x, undefined));
  }
}

/** What a client may know of an error, in the format of the context: of those that are not its own, nothing. */
function describeError(x: Exchange, error: unknown): object {
  const statusCode = errorStatus(500, error);
  if (x.plan.errorFormat === 'problem') return loadProblems().problemDetails(x, statusCode, error);
  const name = statusText(statusCode);
  if (statusCode >= 500) return { statusCode, error: name, message: name };
  const code = readField(error, 'code');
  return { statusCode, ...(typeof code === 'string' && { code }), error: name, message: messageOf(error) };
}

/** Tells an iterable that nobody reads on. A generator runs its `finally` when it is not waiting for anything, or else when that has come. */
export function closeIterator(iterator: AsyncIterator<unknown>, report: (error: unknown) => void): void {
  try {
    Promise.resolve(iterator.return?.()).catch(report);
  } catch (error) {
    report(error);
  }
}
