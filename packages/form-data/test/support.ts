/** What the tests of forms share. */
import { Readable } from 'node:stream';

/** A stream of the bytes in pieces of a size. */
export function pieces(bytes: Buffer, size: number): Readable {
  const list: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += size) list.push(bytes.subarray(from, from + size));
  return Readable.from(list, { objectMode: false });
}
