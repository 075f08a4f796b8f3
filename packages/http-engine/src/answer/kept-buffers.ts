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

/**
 * Writes a payload into a buffer, from a place on.
 *
 * @returns The position after it; -1 if it does not fit. Every byte between the two must be its own: the buffer holds old ones.
 */
export type Fill = (buffer: Buffer, start: number) => number;

/** @returns The position after the payload. A buffer whose payload does not fit is given back. */
export function fillBuffer(buffer: Buffer, fill: Fill): number {
  let end = -1;
  try {
    end = fill(buffer, payloadStart);
    if (end > buffer.length)
      throw new RangeError(`a payload ends at ${end} in a buffer of ${buffer.length} bytes`);
  } finally {
    if (end < payloadStart) giveBack(buffer);
  }
  return end;
}

/** The payload without its head. The buffer is released. */
export function copyPayload(buffer: Buffer, end: number): Buffer {
  const payload = Buffer.from(buffer.subarray(payloadStart, end));
  giveBack(buffer);
  return payload;
}
