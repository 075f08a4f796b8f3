/** Owns the collecting of a body: how many bytes may come (specification 8.3), and whether as many came as were announced. */
import { BodyTooLarge, ContentLengthMismatch } from '../contract/errors.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { BodyParser } from '../contract/plan.ts';
import { type BytesCollected, overLimit, StreamCollector } from '../shared/stream-collector.ts';
import { readField, textOf, withFields } from '../shared/thrown-values.ts';
import { ensureError } from './prepare-error.ts';

/** The stream of a `preParsing` hook. Destroyed without an error, it neither ends nor fails; it only closes. */
class ReplacedBody extends StreamCollector {
  protected override awaitEnd(): void {
    super.awaitEnd();
    this.stream.once('close', this.#stop);
    // It has told what it has to tell, or does so in ticks that come before this one.
    if (this.stream.closed) process.nextTick(this.#stop);
  }

  readonly #stop = (): void => {
    if (!this.isOver) this.fail(this.stream.errored ?? undefined);
  };
}

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
  const settle: BytesCollected = (error, chunks, arrivedBytes) => {
    if (error === overLimit) reject(new BodyTooLarge());
    else if (error !== undefined) reject(withClientStatus(ensureError(error)));
    else if (announcedBytes !== undefined && arrivedBytes !== announcedBytes)
      reject(new ContentLengthMismatch());
    else resolve(assemble(chunks, isText));
  };
  const { bodyStream } = x;
  if (bodyStream === undefined || bodyStream === x.streamBody()) x.readBody(limitBytes, settle);
  else new ReplacedBody(bodyStream, limitBytes, settle).listen();
}

/**
 * The announced length of the body. Node's parser refuses one that is not a number; through `inject` or a server of the
 * application's own it can still come, and then it means nothing.
 */
export function announcedLength(x: Exchange): number | undefined {
  const announced = x.requestHeader('content-length');
  if (announced === undefined) return undefined;
  const lengthBytes = Number(announced);
  return Number.isNaN(lengthBytes) ? undefined : lengthBytes;
}

/** What goes wrong with a body is the client's fault, unless the error says otherwise. A stream may fail with anything. */
export function withClientStatus(error: unknown): unknown {
  const status = readField(error, 'statusCode');
  if (typeof status === 'number' && status >= 400) return error;
  const failure =
    typeof error === 'object' && error !== null ? error : new Error(textOf(error), { cause: error });
  return withFields(failure, { statusCode: 400 });
}

/** Bytes are copied even when there is one chunk: it is a view of a buffer that the socket will use again. */
function assemble(chunks: readonly Buffer[], isText: boolean): string | Buffer {
  if (!isText) return Buffer.concat(chunks);
  return chunks.length === 1 ? chunks[0]!.toString() : Buffer.concat(chunks).toString();
}
