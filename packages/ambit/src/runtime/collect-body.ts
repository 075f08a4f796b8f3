/** Collects the bytes of a body: checks their number against the limit (specification 8.3) and against the Content-Length. */

import { type BytesCollected, overLimit, StreamCollector } from '../shared/stream-collector.ts';
import { readField, textOf, withFields } from '../shared/thrown-values.ts';
import { BodyTooLarge, ContentLengthMismatch } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import type { BodyParser } from '../types/plan.ts';
import { ensureError } from './prepare-error.ts';

/** The stream of a `preParsing` hook. If it is destroyed without an error, it emits neither `end` nor `error`, but only `close`. */
class ReplacedBody extends StreamCollector {
  protected override awaitEnd(): void {
    super.awaitEnd();
    this.stream.once('close', this.#stop);
    // A closed stream has emitted its other events already, or emits them in earlier ticks.
    if (this.stream.closed) process.nextTick(this.#stop);
  }

  readonly #stop = (): void => {
    if (!this.hasEnded) this.fail(this.stream.errored ?? undefined);
  };
}

/** Collects the body's bytes, up to the limit, and checks that their number is the Content-Length. */
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
 * Returns the Content-Length. Node's parser rejects one that is not a number. `inject` or a server of the application may still pass one,
 * which is ignored.
 */
export function announcedLength(x: Exchange): number | undefined {
  const announced = x.requestHeader('content-length');
  if (announced === undefined) return undefined;
  const lengthBytes = Number(announced);
  return Number.isNaN(lengthBytes) ? undefined : lengthBytes;
}

/**
 * Adds status 400 to an error that has no error status, because errors of a body are usually caused by the client. The error may be any
 * value.
 */
export function withClientStatus(error: unknown): unknown {
  const status = readField(error, 'statusCode');
  if (typeof status === 'number' && status >= 400) return error;
  const failure =
    typeof error === 'object' && error !== null ? error : new Error(textOf(error), { cause: error });
  return withFields(failure, { statusCode: 400 });
}

/** Bytes are copied even if there is only one chunk, because it is a view of a buffer that the socket reuses. */
function assemble(chunks: readonly Buffer[], isText: boolean): string | Buffer {
  if (!isText) return Buffer.concat(chunks);
  return chunks.length === 1 ? chunks[0]!.toString() : Buffer.concat(chunks).toString();
}
