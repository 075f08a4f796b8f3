/** Owns the bytes of a connection that were read but not served. */

/** A shorter head is scanned again with each piece that arrives, a longer one only when a line ends in the piece. */
const shortHeadBytes = 1024;

const nothing = Buffer.alloc(0);

export class Input {
  bytes: Buffer = nothing;
  /** The position of the first byte that was not served. */
  position = 0;
  /** Whether bytes were read that will be served later in this turn. */
  isServeScheduled = false;

  get isServed(): boolean {
    return this.position >= this.bytes.length;
  }

  // HOT: once per read.
  add(chunk: Buffer): void {
    this.bytes = this.bytes.length === 0 ? chunk : Buffer.concat([this.bytes.subarray(this.position), chunk]);
    this.position = 0;
  }

  /** Whether a long head cannot be complete yet, because no line ends in the piece that arrived last. */
  isInsideLine(piece: Buffer, maxHeadBytes: number): boolean {
    const { length } = this.bytes;
    return length > shortHeadBytes && length < maxHeadBytes && isPlainText(piece);
  }

  get rest(): Buffer {
    return this.bytes.subarray(this.position);
  }

  clear(): void {
    this.bytes = nothing;
    this.position = 0;
  }
}

/** Whether a piece contains neither the end of a line nor another control character. */
function isPlainText(piece: Buffer): boolean {
  for (let i = 0; i < piece.length; i++) if (piece[i]! < 0x20 || piece[i] === 0x7f) return false;
  return true;
}
