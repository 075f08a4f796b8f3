/** Owns the collecting of a body: how many bytes may come, and whether as many came as were announced. */
import { EventEmitter } from 'node:events';
import { BodyTooLarge, ContentLengthMismatch } from '../contract/errors.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { BodyStream } from '../contract/parsers.ts';
import type { BodyParser } from '../contract/plan.ts';
import { atEndOfTurn } from '../shared/end-of-turn.ts';
import { readField, textOf } from '../shared/text-of.ts';
import { withFields } from '../shared/with-fields.ts';
import { failureOf } from './failure-of.ts';

type Settle = (error: unknown, chunks: Buffer[], arrivedBytes: number) => void;

/** Collects the body's bytes, up to the limit, and checks that as many came as were announced. */
export function collect(
  x: Exchange,
  parser: BodyParser,
  resolve: (collected: string | Buffer) => void,
  reject: (error: unknown) => void,
): void {
  const limitBytes = x.plan.bodyLimitBytes ?? parser.limitBytes;
  const announcedBytes = announcedLength(x);
  if (announcedBytes !== undefined && announcedBytes > limitBytes) {
    reject(new BodyTooLarge());
    return;
  }
  const isText = parser.collectAs === 'string';
  const stream = x.bodyStream!;
  const collector = new Collector(stream, limitBytes, (error, chunks, arrivedBytes) => {
    if (error !== undefined) reject(withClientStatus(error));
    else if (announcedBytes !== undefined && arrivedBytes !== announcedBytes)
      reject(new ContentLengthMismatch());
    else resolve(assemble(chunks, isText));
  });
  if (stream === x.requestStream && x.bodyArrival !== 'unknown') collector.readWhenArrived(x);
  else collector.listen();
}

/**
 * The announced length of the body. Node's parser refuses one that is not a number; through `inject` or a server of the
 * application's own it can still come, and then it logsIncoming nothing.
 */
function announcedLength(x: Exchange): number | undefined {
  const announced = x.requestHeaders['content-length'];
  if (announced === undefined) return undefined;
  const lengthBytes = Number(announced);
  return Number.isNaN(lengthBytes) ? undefined : lengthBytes;
}

/** What goes wrong with a body is the client's fault, unless the error says otherwise. A stream may fail with anything. */
function withClientStatus(error: unknown): unknown {
  const status = readField(error, 'statusCode');
  if (typeof status === 'number' && status >= 400) return error;
  const failure =
    typeof error === 'object' && error !== null ? error : new Error(textOf(error), { cause: error });
  return withFields(failure, { statusCode: 400 });
}

/** The listener without what streams add to it: they would start reading in the next tick. */
const { on: addListener } = EventEmitter.prototype;

/** Collects one body from its stream, and settles once. */
class Collector {
  readonly #stream: BodyStream;
  readonly #limitBytes: number;
  readonly #settle: Settle;
  readonly #chunks: Buffer[] = [];
  #receivedBytes = 0;
  #isOver = false;

  constructor(stream: BodyStream, limitBytes: number, settle: Settle) {
    this.#stream = stream;
    this.#limitBytes = limitBytes;
    this.#settle = settle;
  }

  /** Takes the body from the events of its stream. */
  listen(): void {
    const stream = this.#stream;
    stream.on('data', this.#onData);
    this.#awaitEnd();
  }

  /**
   * HOT: once per request with a body. Most bodies come with their head: once all that arrived in this turn has been read, such a
   * body is taken in one piece. The events of the stream would tell the same, with three listeners, and one request at a time: a
   * fifth of the CPU time of benchmark `post`. Whoever reads the stream too in the meantime is listened to.
   */
  readWhenArrived(x: Exchange): void {
    addListener.call(this.#stream, 'data', this.#onData);
    atEndOfTurn(() => {
      try {
        if (!this.#isOver) this.#readArrived(x);
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  #readArrived(x: Exchange): void {
    const stream = this.#stream;
    if (stream.readableEnded) this.#finish();
    else if (stream.destroyed) this.#fail(stream.errored ?? new Error('the request was destroyed'));
    else if (x.bodyArrival === 'complete' && stream.readableFlowing === null) {
      do stream.read();
      while (stream.readableLength > 0);
      if (!this.#isOver) this.#finish();
    } else this.#awaitEnd();
  }

  #awaitEnd(): void {
    const stream = this.#stream;
    stream.on('end', this.#finish);
    stream.on('error', this.#fail);
    stream.resume();
  }

  readonly #onData = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    this.#receivedBytes += bytes.length;
    this.#chunks.push(bytes);
    // A hook may decompress: both sides of it are held to the limit.
    if (
      this.#receivedBytes > this.#limitBytes ||
      (this.#stream.receivedEncodedLength ?? 0) > this.#limitBytes
    ) {
      this.#fail(new BodyTooLarge());
    }
  };

  readonly #finish = (): void => this.#end(undefined);

  /** An event without an error is one all the same: the body is not whole. */
  readonly #fail = (error: unknown): void => this.#end(failureOf(error));

  #end(error: unknown): void {
    const stream = this.#stream;
    this.#isOver = true;
    stream.removeListener('data', this.#onData);
    stream.removeListener('end', this.#finish);
    stream.removeListener('error', this.#fail);
    this.#settle(error, this.#chunks, stream.receivedEncodedLength || this.#receivedBytes);
  }
}

/** Bytes are copied even when there is one chunk: it is a view of a buffer that the socket will use again. */
function assemble(chunks: Buffer[], isText: boolean): string | Buffer {
  if (!isText) return Buffer.concat(chunks);
  return chunks.length === 1 ? chunks[0]!.toString() : Buffer.concat(chunks).toString();
}
