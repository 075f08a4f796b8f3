/** Owns the bytes of a connection that were read but not served. */

/** A shorter head is scanned with each piece that arrives, a longer one only when a line ends. */
const shortHeadBytes = 1024;

const nothing = Buffer.alloc(0);

export class Input {
  bytes: Buffer = nothing;
  /** Where the bytes that were not served begin. */
  at = 0;

  get isServed(): boolean {
    return this.at >= this.bytes.length;
  }

  // HOT: once per read.
  add(chunk: Buffer): void {
    this.bytes = this.bytes.length === 0 ? chunk : Buffer.concat([this.bytes.subarray(this.at), chunk]);
    this.at = 0;
  }

  /** Whether a head cannot be complete with this piece, its last one: it is long, and no line ends in the piece. */
  isAmidLine(piece: Buffer, mostHeadBytes: number): boolean {
    const { length } = this.bytes;
    return length > shortHeadBytes && length < mostHeadBytes && isPlainText(piece);
  }

  get rest(): Buffer {
    return this.bytes.subarray(this.at);
  }

  clear(): void {
    this.bytes = nothing;
    this.at = 0;
  }
}

/** Whether a piece contains neither the end of a line nor another control character. */
function isPlainText(piece: Buffer): boolean {
  for (let i = 0; i < piece.length; i++) if (piece[i]! < 0x20 || piece[i] === 0x7f) return false;
  return true;
}
