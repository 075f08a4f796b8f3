/** A connection whose TLS handshake has not ended, as a closing server sees it. */
import type { Socket } from 'node:net';
import type { Unfinished } from '../types/options.ts';
import { type Closing, hasPassed, isUnused, type OpenConnection } from './open-connection.ts';

export class HandshakeConnection implements OpenConnection {
  readonly #socket: Socket;
  readonly #openedMs = performance.now();

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  checkWhileClosing(closing: Closing): void {
    const { ends, limits, nowMs, startedMs } = closing;
    const isSilent = this.#socket.bytesRead === 0;
    const mayEnd = ends === 'all' || (ends === 'idle' && isSilent && isUnused(closing, this.#openedMs));
    if (mayEnd || hasPassed(limits.headMs, nowMs - startedMs)) this.#socket.destroy();
  }

  announceEnd(): void {}

  unfinished(): Unfinished[] {
    return [];
  }

  destroy(): void {
    this.#socket.destroy();
  }
}
