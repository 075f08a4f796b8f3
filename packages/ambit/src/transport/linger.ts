/** Closes a connection whose client is still sending, so that it can read the answer first. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { StateInEngine } from './open-connection.ts';

/** The request that node's parser is at; it is not documented. */
type HttpSocket = Socket & { readonly parser?: { readonly incoming?: IncomingMessage | null } | null };

/** Longest time to read, and drop, what the client is sending. */
const lingerMs = 2_000;

const drop = (): void => {};

/**
 * Has a connection end in two steps where its last request is not complete: our side first, and the client's when it has ended its own. With
 * both at once, the client's system resets the connection, and with it drops the answer that has arrived but was not read (RFC 9112, 9.6).
 * Node and our engine call `destroySoon` after the last response of a connection.
 */
export function lingerAfterEarlyAnswer(socket: HttpSocket, stateInEngine: StateInEngine): void {
  const { destroySoon } = socket;
  socket.destroySoon = () => {
    const isReceiving = socket.parser?.incoming?.complete === false || stateInEngine(socket) === 'body';
    if (isReceiving) linger(socket);
    else destroySoon.call(socket);
  };
}

function linger(socket: Socket): void {
  // A listener takes the socket from node's parser: nothing that comes now is read as a request.
  socket.on('data', drop);
  for (const event of ['data', 'end']) socket.removeAllListeners(event);
  socket.on('data', drop).resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('end', () => socket.destroy());
  socket.once('close', () => clearTimeout(timer));
  socket.end();
}
