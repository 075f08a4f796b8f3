/** Gives a connection to node's own server, with all bytes that were read but not served. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Node's own listener of the event that announces a connection. */
export type ConnectionListener = (this: Server, socket: Socket) => void;

/** @param rest The bytes that were read but not served. */
export function handOver(server: Server, listener: ConnectionListener, socket: Socket, rest: Buffer): void {
  if (socket.readableEnded) {
    // Earlier responses have delayed the hand-over until after the end, and the stream takes nothing back.
    listener.call(server, socket);
    if (rest.length > 0) socket.emit('data', rest);
    socket.emit('end');
    return;
  }
  // Reading is paused during the hand-over, because the bytes that are put back must come first.
  socket.pause();
  if (rest.length > 0) socket.unshift(rest);
  listener.call(server, socket);
  socket.resume();
}
