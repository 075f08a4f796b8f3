/** The `request.raw.socket` of requests that come through `app.fetch`: it has the address of the client, and emits `close`. */
import { EventEmitter } from 'node:events';
import type { Exchange } from '../types/exchange.ts';
import { refuseMembers } from './refuse-members.ts';

/** The runtime owns the connection, so methods that set its options have no effect. */
export class FetchRawSocket extends EventEmitter {
  readonly readable = true;
  readonly #x: Exchange;

  constructor(x: Exchange) {
    super();
    this.#x = x;
    x.onceClosed((error) => this.emit('close', error != null));
  }

  static exchangeOf(socket: FetchRawSocket): Exchange {
    return socket.#x;
  }

  get remoteAddress(): string | undefined {
    return this.#x.peerAddress;
  }

  get encrypted(): boolean {
    return this.#x.isEncrypted === true;
  }

  get writable(): boolean {
    return !this.#x.isEnded && !this.#x.isDestroyed;
  }

  get destroyed(): boolean {
    return this.#x.isDestroyed;
  }

  /** Ends only this request. Other requests of the same connection continue. */
  destroy(error?: Error): this {
    this.#x.destroy(error);
    return this;
  }

  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  toJSON(): { remoteAddress: string | undefined; encrypted: boolean } {
    return { remoteAddress: this.remoteAddress, encrypted: this.encrypted };
  }
}

refuseMembers(FetchRawSocket, 'request.raw.socket', 'Use the request and the reply', [
  'write',
  'end',
  'read',
  'pipe',
  'pause',
  'resume',
  'address',
  'getPeerCertificate',
  'getPeerX509Certificate',
  'getProtocol',
  'getCipher',
  'getSession',
]);
