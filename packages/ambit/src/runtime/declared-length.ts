/**
 * Checks that a streamed payload has the length that its head declares. Otherwise, the client would read the rest of it as the next response,
 * or would wait for bytes that never come (RFC 9112, 6.3).
 */
import { Buffer } from 'node:buffer';
import { StreamLengthMismatch } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';

export class DeclaredLength {
  readonly #declaredBytes: number;
  #writtenBytes = 0;

  /** @param declaredBytes Integer >= 0. */
  constructor(declaredBytes: number) {
    this.#declaredBytes = declaredBytes;
  }

  /** @throws {StreamLengthMismatch} if the payload is longer than declared. Call it before the chunk is written. */
  add(chunk: string | Uint8Array): void {
    this.#writtenBytes += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.byteLength;
    if (this.#writtenBytes > this.#declaredBytes) throw this.#mismatch('more');
  }

  /** @returns An error if the payload is shorter than declared. */
  checkEnd(): Error | undefined {
    return this.#writtenBytes < this.#declaredBytes ? this.#mismatch(String(this.#writtenBytes)) : undefined;
  }

  #mismatch(written: string): Error {
    return new StreamLengthMismatch(this.#declaredBytes, written);
  }
}

/** @returns `undefined` if no length is declared, or if it describes the content of the response to GET. */
export function declaredLengthOf(x: Exchange): DeclaredLength | undefined {
  if (x.method === 'HEAD') return undefined;
  const declared = x.replyHeaders['content-length'] ?? x.getHeader('content-length');
  return declared !== undefined && /^\d+$/.test(String(declared))
    ? new DeclaredLength(Number(declared))
    : undefined;
}
