/** Sends bytes to servers in pieces, and collects what comes back until the connection closes. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Long enough for bytes that were written on the loopback to be read in this process. */
export async function passTurns(count = 2): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

export class Client {
  readonly socket: Socket;
  received = '';
  isEnded = false;
  readonly closed: Promise<void>;

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    this.socket.setEncoding('latin1');
    this.socket.on('data', (text: string) => {
      this.received += text;
    });
    this.socket.on('error', () => {});
    this.socket.on('end', () => {
      this.isEnded = true;
      this.socket.end();
    });
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()));
  }

  async open(): Promise<this> {
    await once(this.socket, 'connect');
    return this;
  }

  send(bytes: string | Buffer): void {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Waits until the received bytes contain a text `count` times. */
  async expectText(text: string, count = 1): Promise<string> {
    while (this.received.split(text).length <= count) {
      if (this.socket.closed) throw new Error(`closed before ${JSON.stringify(text)}: ${this.received}`);
      await this.#nextEvent();
    }
    return this.received;
  }

  /** Waits until this number of bytes was received. */
  async expectLength(bytes: number): Promise<string> {
    while (this.received.length < bytes && !this.socket.closed) await this.#nextEvent();
    return this.received;
  }

  /** More was received, or nothing more will be. */
  async #nextEvent(): Promise<void> {
    const stop = new AbortController();
    const { signal } = stop;
    await Promise.race([once(this.socket, 'data', { signal }), once(this.socket, 'close', { signal })]);
    stop.abort();
  }

  async end(): Promise<string> {
    this.socket.end();
    await this.closed;
    return this.received;
  }
}

/** Sends pieces one after another, each read before the next, closes, and returns all that came back. */
export async function exchangeBytes(port: number, pieces: readonly Buffer[]): Promise<[number, string]> {
  const client = await new Client(port).open();
  const { localPort } = client.socket;
  for (const piece of pieces) {
    // A client that continues to send to a closed server loses the server's last bytes.
    if (client.isEnded) break;
    client.send(piece);
    await passTurns(pieces.length === 1 ? 0 : 3);
  }
  return [localPort!, await client.end()];
}
