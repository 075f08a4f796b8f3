/** Reads what one task of a shared process has written. */
import type { Readable } from 'node:stream';

/** The text of a stream up to a mark, which ends a chunk. The stream stays open. */
export function readToMark(stream: Readable, mark: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    stream.on('data', function read(chunk) {
      text += chunk;
      if (!text.endsWith(mark)) return;
      stream.off('data', read);
      resolve(text.slice(0, -mark.length));
    });
  });
}
