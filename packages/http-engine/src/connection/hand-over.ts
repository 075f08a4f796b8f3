/** Owns giving a connection to node's own server, with every byte that was read and not served. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Node's own listener of the event by which a server learns of a connection. */
export type ConnectionListener = (this: Server, socket: Socket) => void;

/** @param rest What the client sent that nobody has served. */
export function handOver(server: Server, listener: ConnectionListener, socket: Socket, rest: Buffer): void {
  // Stopped while it changes hands: what is put back must come before what is read next.
  socket.pause();
  if (rest.length > 0) socket.unshift(rest);
  listener.call(server, socket);
  socket.resume();
}
