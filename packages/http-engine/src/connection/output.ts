/** Owns what a connection is about to write: answers are gathered, and leave with one write where they can. */
import type { Socket } from 'node:net';
import { giveBack } from '../answer/kept-buffers.ts';

/** Told when an answer has been handed to the system, or why it could not be. */
export type WrittenListener = (error?: Error | null) => void;

/** From here on what is gathered leaves, even while more requests of the same read wait. */
const mostGatheredBytes = 64 * 1024;
/** A payload of bytes up to this length is copied behind its head: one write is worth more than one copy. */
const longestCopy = 16 * 1024;

/** An answer came behind the end of its socket. */
class SocketEnded extends Error {
  readonly code = 'EPIPE';

  constructor() {
    super('the connection ended before the response');
  }
}

export class Output {
  readonly #socket: Socket;
  /** Text that waits. Every character is ASCII where `#isUtf8` is set, or was when it was gathered. */
  #text = '';
  #isUtf8 = false;
  /** Whether the text holds characters of Latin-1 beyond ASCII. */
  #isLatin1 = false;
  /** What waits before the text, where it cannot be a part of it. */
  #pieces: Buffer[] | undefined = undefined;
  #listeners: WrittenListener[] | undefined = undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  get isEmpty(): boolean {
    return this.#text === '' && this.#pieces === undefined;
  }

  get isLong(): boolean {
    return this.#text.length > mostGatheredBytes || this.#pieces !== undefined;
  }

  // HOT: once per whole answer.
  /** @param isAscii Whether the payload is known to be. */
  addText(head: string, payload: string, isAscii: boolean): void {
    if (isAscii) {
      this.#text += head + payload;
      return;
    }
    if (this.#isLatin1) this.#movePieces();
    this.#text += head + payload;
    this.#isUtf8 = true;
  }

  /** A head with characters of Latin-1 beyond ASCII. */
  addLatin1(head: string): void {
    if (this.#isUtf8) this.#movePieces();
    this.#text += head;
    this.#isLatin1 = true;
  }

  addBytes(payload: Uint8Array): void {
    this.#movePieces();
    const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
    const last = this.#pieces!.length - 1;
    const before = this.#pieces![last];
    if (before !== undefined && bytes.length <= longestCopy) {
      this.#pieces![last] = Buffer.concat([before, bytes]);
    } else this.#pieces!.push(bytes);
  }

  /** Writes a part of a buffer that was taken, at once; nothing may wait before it. The buffer is given back when the socket is done. */
  writeKept(buffer: Buffer, start: number, end: number): void {
    if (!this.#socket.writable) {
      giveBack(buffer);
      this.#drop();
      return;
    }
    const listeners = this.#listeners;
    this.#listeners = undefined;
    this.#socket.write(buffer.subarray(start, end), (error) => {
      // After a failure the system may still read from it.
      if (error == null) giveBack(buffer);
      if (listeners !== undefined) tell(listeners, error);
    });
  }

  onWritten(listener: WrittenListener): void {
    this.#listeners ??= [];
    this.#listeners.push(listener);
  }

  #movePieces(): void {
    this.#pieces ??= [];
    if (this.#text === '') return;
    this.#pieces.push(Buffer.from(this.#text, this.#isUtf8 ? 'utf8' : 'latin1'));
    this.#text = '';
    this.#isUtf8 = false;
    this.#isLatin1 = false;
  }

  // HOT: once per read, or per answer that comes later.
  /** Writes all that waits. */
  flush(): void {
    const text = this.#text;
    const encoding = this.#isUtf8 ? 'utf8' : 'latin1';
    const listeners = this.#listeners;
    if (!this.#socket.writable) {
      this.#drop();
      return;
    }
    if (this.#pieces !== undefined) {
      this.#flushPieces(this.#pieces);
      return;
    }
    if (text === '') return;
    this.#text = '';
    this.#isUtf8 = false;
    this.#isLatin1 = false;
    if (listeners === undefined) {
      this.#socket.write(text, encoding);
      return;
    }
    this.#listeners = undefined;
    this.#socket.write(text, encoding, (error) => tell(listeners, error));
  }

  /** The socket takes nothing more: it is gone, or ends since the client has closed its side. */
  #drop(): void {
    const listeners = this.#listeners;
    this.#text = '';
    this.#isUtf8 = false;
    this.#isLatin1 = false;
    this.#pieces = undefined;
    this.#listeners = undefined;
    if (listeners !== undefined) tell(listeners, new SocketEnded());
  }

  #flushPieces(pieces: Buffer[]): void {
    this.#movePieces();
    const listeners = this.#listeners;
    this.#pieces = undefined;
    this.#listeners = undefined;
    const socket = this.#socket;
    if (pieces.length > 1) socket.cork();
    const last = pieces.pop()!;
    for (const piece of pieces) socket.write(piece);
    socket.write(last, (error) => tell(listeners ?? [], error));
    if (socket.writableCorked > 0) socket.uncork();
  }
}

function tell(listeners: readonly WrittenListener[], error: Error | null | undefined): void {
  for (const listener of listeners) listener(error);
}
