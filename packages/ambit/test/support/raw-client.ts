/** Speaks HTTP/1.1 in bytes, for tests about what exactly is on the wire. */
import { connect, type Socket } from 'node:net';

/** Writes the text to a new connection and reads until the server ends it. */
export function converse(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('close', () => resolve(received));
    // A reset after the answer is how a server gets rid of a client: what was read counts.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
  });
}

/** A connection that stays open, and what it has received so far. */
export interface Conversation {
  readonly socket: Socket;
  /** Resolves once the text received contains `part`. */
  until(part: string): Promise<string>;
  /** Resolves with everything received when the connection ends. */
  ended: Promise<string>;
}

export async function open(port: number): Promise<Conversation> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    received += chunk;
    socket.emit('progress');
  });
  socket.on('error', () => {});
  const ended = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(received));
  });
  await new Promise<void>((resolve) => {
    socket.once('connect', () => resolve());
  });
  const until = (part: string): Promise<string> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (received.includes(part)) resolve(received);
        else socket.once('progress', check);
      };
      check();
    });
  return { socket, until, ended };
}

/** The text of a request without a body. */
export function request(method: string, url: string, ...headers: string[]): string {
  return [`${method} ${url} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');
}

/** The last request of a conversation: the server ends the connection after its answer. */
export function lastRequest(method: string, url: string): string {
  return request(method, url, 'Connection: close');
}

/** The statuses of all responses in what was received, in order. */
export function statuses(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
