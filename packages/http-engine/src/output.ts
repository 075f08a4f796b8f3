/** Collects the responses of a connection, and sends them with one write if possible. */
import type { Socket } from 'node:net';
import type { Payload } from './exchange.ts';

/** Called when the operating system has taken a response, or with the error if it could not. */
type WrittenListener = (error?: Error | null) => void;

/** If more than this is collected, it is sent, even if more requests of the same read wait. */
const maxCollectedBytes = 64 * 1024;
/** Bytes up to this length are copied behind their head, because a copy costs less than a second write. */
const maxCopyBytes = 16 * 1024;

export class Output {
  readonly #socket: Socket;
  /**
   * Text that waits to be written. Every character is ASCII if `#isUtf8` is set, or was ASCII when it was collected.
   */
  #text = '';
  #isUtf8 = false;
  /** Whether the text contains Latin-1 characters that are not ASCII. */
  #isLatin1 = false;
  /** Bytes that are written before the text, and cannot be part of it. */
  #pieces: Buffer[] | undefined = undefined;
  #listeners: WrittenListener[] | undefined = undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  get isEmpty(): boolean {
    return this.#text === '' && this.#pieces === undefined;
  }

  get isLong(): boolean {
    return this.#text.length > maxCollectedBytes || this.#pieces !== undefined;
  }

  // HOT: once per whole response.
  /** Collects a response. A head is written in Latin-1, and a text in UTF-8. Node would write a head before a text in UTF-8, too. */
  addAnswer(head: string, isHeadAscii: boolean, payload: Payload | undefined, isTextAscii: boolean): void {
    if (typeof payload === 'string' && isHeadAscii) {
      if (!isTextAscii) {
        if (this.#isLatin1) this.#movePieces();
        this.#isUtf8 = true;
      }
      this.#text += head + payload;
    } else {
      if (isHeadAscii) this.#text += head;
      else this.#addLatin1(head);
      if (payload !== undefined) this.#addBytes(typeof payload === 'string' ? Buffer.from(payload) : payload);
    }
  }

  #addLatin1(head: string): void {
    if (this.#isUtf8) this.#movePieces();
    this.#text += head;
    this.#isLatin1 = true;
  }

  #addBytes(payload: Uint8Array): void {
    this.#movePieces();
    const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
    const last = this.#pieces!.length - 1;
    const before = this.#pieces![last];
    if (before !== undefined && bytes.length <= maxCopyBytes) {
      this.#pieces![last] = Buffer.concat([before, bytes]);
    } else this.#pieces!.push(bytes);
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
  /** Writes everything that was collected. */
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
    this.#socket.write(text, encoding, (error) => callAll(listeners, error));
  }

  /** The socket accepts nothing more: it is closed, or it is closing because the client has ended its side. */
  #drop(): void {
    const listeners = this.#listeners;
    this.#text = '';
    this.#isUtf8 = false;
    this.#isLatin1 = false;
    this.#pieces = undefined;
    this.#listeners = undefined;
    if (listeners !== undefined) callAll(listeners, new SocketEnded());
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
    socket.write(last, (error) => callAll(listeners ?? [], error));
    if (socket.writableCorked > 0) socket.uncork();
  }
}

function callAll(listeners: readonly WrittenListener[], error: Error | null | undefined): void {
  for (const listener of listeners) listener(error);
}

/** The socket ended before a response was written. */
class SocketEnded extends Error {
  readonly code = 'EPIPE';

  constructor() {
    super('the connection ended before the response');
  }
}
