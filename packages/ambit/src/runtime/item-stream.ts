/** Reads an async iterable item by item, at the pace of the client, into the bytes of a response. */
import { AsyncIterableSent, ItemInvalid, StreamClosing } from '../contract/errors.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { ItemFormat } from '../contract/item-format.ts';
import { messageOf, readField } from '../shared/thrown-values.ts';
import { type Framing, framings, setStreamHeaders } from './framing.ts';
import { ItemBytes, type ItemSource } from './item-bytes.ts';
import { log } from './log.ts';
import type { OpenStream, OpenStreams } from './open-streams.ts';
import { ensureError, translateError } from './prepare-error.ts';
import { contentTypeOf } from './reply-head.ts';
import { publishFailure } from './request-channels.ts';
import { abort, abortForClient } from './request-signal.ts';
import { cutOff, fail, isCurrent, startPath } from './run-steps.ts';
import { streamErrorJson } from './stream-error.ts';

/**
 * One stream. It waits for the first item before it starts the path of the reply, so that an error before it is answered like any other, and
 * the handler may still set status and headers.
 */
export class ItemStream implements OpenStream, ItemSource {
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
  #isReading = false;
  /** The iterable gives no more items. */
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
    this.#bytes?.stop();
    this.#registry.delete(this);
    if (!this.#hasEnded) closeIterator(this.#iterator, (error) => this.#reportLate(error));
  }

  onWanted(): void {
    if (!this.#hasEnded) this.#read();
  }

  beat(): void {
    if (this.#isStopped || this.#hasEnded) return;
    const bytes = this.#bytes;
    const canWrite = bytes === undefined ? this.#isCurrent && this.#chooseFormat() : bytes.isStarved;
    if (!canWrite) return;
    const { heartbeat } = this.#framing;
    if (heartbeat === undefined) return;
    if (bytes === undefined) this.#open(heartbeat);
    else bytes.pass(heartbeat);
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
    this.#write(framed);
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

  /** The status and the Content-Type that the handler has set by now decide. */
  #chooseFormat(): boolean {
    const x = this.#x;
    const format = x.plan.items!.pick(x.status, contentTypeOf(x));
    if (format === undefined) return false;
    this.#format = format;
    this.#framing = framings[format.mediaType];
    return true;
  }

  /** The first text starts the path of the reply. */
  #write(text: string): void {
    if (this.#bytes === undefined) this.#open(text);
    else this.#bytes.add(text);
  }

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
      // A status without content, such as 204, which tells clients of event streams not to come back.
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
      x.plan.logWriter.streamError(error as Error, x.request, x.reply);
      publishFailure(x, error);
    }
    if (frameError === undefined) {
      this.#bytes!.flush();
      this.stop();
      // In a later turn: until then, node may hold back what was written.
      setImmediate(() => cutOff(x, error));
      return;
    }
    // With the application, every stream ends, and clients that are not told of an error come back.
    this.#bytes!.complete(this.#isClosing ? '' : frameError(streamErrorJson(x, error)));
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
}

/** Tells an iterable that nobody reads on. A generator runs its `finally` when it is not waiting for anything, or else when that has come. */
export function closeIterator(iterator: AsyncIterator<unknown>, report: (error: unknown) => void): void {
  try {
    Promise.resolve(iterator.return?.()).catch(report);
  } catch (error) {
    report(error);
  }
}
