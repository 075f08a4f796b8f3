/** Owns the buffers for long responses: each is sent with one write, and used again when the socket has sent it. */

/** The position at which payloads begin and heads end. */
export const payloadStart: number = 2048;
const keptBytes: number = 64 * 1024;
const mostKept = 8;

const free: Buffer[] = [];

/** A buffer that nothing else writes or reads until it is released. It contains old bytes, which must not be sent. */
export function takeBuffer(): Buffer {
  return free.pop() ?? Buffer.allocUnsafeSlow(keptBytes);
}

/** Call this only if you took the buffer, and nothing will read from it any more. */
export function giveBack(buffer: Buffer): void {
  if (free.length < mostKept) free.push(buffer);
}

/** Shorter texts are not worth a buffer: they are sent together with others. */
export const shortText: number = 1024;
/** A character needs at most three bytes. */
export const longText: number = Math.floor((keptBytes - payloadStart) / 3);
