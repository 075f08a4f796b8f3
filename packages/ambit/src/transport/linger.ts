/** Closes a connection whose client is still sending, so that the client can read the response first. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { EngineStateOf } from './open-connection.ts';

/** The request that node's parser is reading. The property is not documented. */
type HttpSocket = Socket & { readonly parser?: { readonly incoming?: IncomingMessage | null } | null };

/** The longest time to read and drop what the client is sending. */
const lingerMs = 2_000;

const drop = (): void => {};

/**
 * Makes a connection whose last request is not complete end in two steps: first our side, then the client's, when the client has ended it.
 * If both ended at once, the connection would be reset, and the client's system would drop a response that was not read yet (RFC 9112,
 * 9.6). Node and our engine call `destroySoon` after the last response of a connection.
 */
export function lingerAfterEarlyAnswer(socket: HttpSocket, engineStateOf: EngineStateOf): void {
  const { destroySoon } = socket;
  socket.destroySoon = () => {
    const isReceiving = socket.parser?.incoming?.complete === false || engineStateOf(socket) === 'body';
    if (isReceiving) linger(socket);
    else destroySoon.call(socket);
  };
}

function linger(socket: Socket): void {
  // A `data` listener takes the socket from node's parser, so that further bytes are not read as a request.
  socket.on('data', drop);
  for (const event of ['data', 'end']) socket.removeAllListeners(event);
  socket.on('data', drop).resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('end', () => socket.destroy());
  socket.once('close', () => clearTimeout(timer));
  socket.end();
}
