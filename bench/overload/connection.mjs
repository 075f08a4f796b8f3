// One connection of the overload benchmark. It sends a request when the one before has its response.
import { connect } from 'node:net';

/** How long a client waits for a response. */
export const patienceMs = 2_000;
const request = Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');

export class Connection {
  #socket;
  #settle;
  #timer;
  #received = '';
  /** Called when the connection can take another request. */
  onFree = () => {};
  isBroken = false;

  constructor(port) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (text) => this.#append(text));
    this.#socket.on('error', () => this.#end(0));
    this.#socket.on('close', () => this.#end(0));
  }

  /** @param {(status: number) => void} settle Called with the status, or with 0 if there is no response in time. */
  send(settle, waitMs = patienceMs) {
    this.#settle = settle;
    this.#timer = setTimeout(() => this.#end(0), waitMs);
    this.#socket.write(request);
  }

  #append(text) {
    this.#received += text;
    const head = this.#received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(this.#received)?.[1] ?? 0);
    if (this.#received.length < head + 4 + length) return;
    const status = Number(this.#received.slice(9, 12));
    const isLast = /connection: close/i.test(this.#received);
    this.#received = '';
    if (isLast) this.isBroken = true;
    this.#finish(status);
  }

  #end(status) {
    this.isBroken = true;
    this.#socket.destroy();
    this.#finish(status);
  }

  #finish(status) {
    clearTimeout(this.#timer);
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(status);
    if (settle !== undefined) this.onFree(this);
  }

  close() {
    this.onFree = () => {};
    this.#settle = undefined;
    clearTimeout(this.#timer);
    this.isBroken = true;
    this.#socket.destroy();
  }
}
