/** Owns the buffers that long answers are written into: one write each, and the memory is used again when the socket is done with it. */

/** Where payloads begin; heads end there. */
export const payloadStart: number = 2048;
const keptBytes: number = 64 * 1024;
const mostKept = 8;

const free: Buffer[] = [];

/** A buffer that nobody else writes into or reads from until it is given back. What is in it is old, and must not be sent. */
export function takeBuffer(): Buffer {
  return free.pop() ?? Buffer.allocUnsafeSlow(keptBytes);
}

/** Only by the one who took it, and only when nothing will read from it any more. */
export function giveBack(buffer: Buffer): void {
  if (free.length < mostKept) free.push(buffer);
}

/** Texts from here on are worth a buffer: shorter ones leave together with others. */
export const shortText: number = 1024;
/** A character takes three bytes at most. */
export const longText: number = Math.floor((keptBytes - payloadStart) / 3);

/**
 * Writes a payload into a buffer, from a place on.
 *
 * @returns The place behind it; -1 where it does not fit. Every byte between the two must be its own: the buffer holds old ones.
 */
export type Fill = (buffer: Buffer, start: number) => number;

/** @returns The place behind the payload. A buffer whose payload does not fit is given back. */
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

/** The payload by itself; the buffer is given back. */
export function copyPayload(buffer: Buffer, end: number): Buffer {
  const payload = Buffer.from(buffer.subarray(payloadStart, end));
  giveBack(buffer);
  return payload;
}
