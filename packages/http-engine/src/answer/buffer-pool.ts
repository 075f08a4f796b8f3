/** A pool of buffers for long responses: each is sent with one write, and used again when the socket has sent it. */

/** The position at which payloads begin and heads end. */
export const payloadStart: number = 2048;
const bufferBytes: number = 64 * 1024;
const maxFree = 8;

const free: Buffer[] = [];

/** Returns a buffer that nothing else writes or reads until it is released. It contains old bytes, which must not be sent. */
export function takeBuffer(): Buffer {
  return free.pop() ?? Buffer.allocUnsafeSlow(bufferBytes);
}

/** Puts a buffer back into the pool. Nothing may write to it or read from it after this call. */
export function releaseBuffer(buffer: Buffer): void {
  if (free.length < maxFree) free.push(buffer);
}

/** A shorter text does not use a buffer of the pool: it is sent together with other responses. */
export const minTextLength: number = 1024;
/** A longer text may not fit: a character needs up to three bytes. */
export const maxTextLength: number = Math.floor((bufferBytes - payloadStart) / 3);
