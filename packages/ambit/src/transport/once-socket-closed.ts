/**
 * Calls a listener when a socket closes, for a response that waits for earlier ones of its connection: node emits nothing on such a
 * response, nor on its request if the body has been read.
 */
import type { Socket } from 'node:net';

/** One listener per socket, because a client may send more requests than the number of listeners from which on an emitter warns. */
const listenersOf: WeakMap<Socket, Set<() => void>> = new WeakMap();

/** Returns a function that stops listening. */
export function onceSocketClosed(socket: Socket, listener: () => void): () => void {
  const listeners = listenersOf.get(socket) ?? listenTo(socket);
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function listenTo(socket: Socket): Set<() => void> {
  const listeners = new Set<() => void>();
  listenersOf.set(socket, listeners);
  socket.once('close', () => {
    for (const listener of listeners) listener();
  });
  return listeners;
}
