/**
 * Tells when the socket of a response closes that waits for earlier ones of its connection. Node tells neither such a response, nor its
 * request if the body has been read.
 */
import type { Socket } from 'node:net';

/** One listener for each socket: a client may have sent more requests than an emitter takes listeners without a warning. */
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
