/** The servers of the other addresses of `localhost` do what the main one does: it is the one that users see. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ClosableServer } from './node-server.ts';

/** Methods of the main server that mean all of them. */
const sharedMethods = ['ref', 'unref', 'close', 'closeAllConnections', 'closeIdleConnections'] as const;

/** From here on the others close with the main server, and let the process end with it. */
export function followServer(main: ClosableServer, others: readonly ClosableServer[]): void {
  for (const name of sharedMethods) {
    const ofMain = main[name] as ((...args: never[]) => never) | undefined;
    if (ofMain === undefined) continue;
    main[name] = (...args: never[]): never => {
      for (const other of others) if (name !== 'close' || other.listening) other[name]();
      return ofMain.apply(main, args);
    };
  }
  // Whoever calls the method of node's class, not of the object, reaches this only.
  main.once('close', () => {
    for (const other of others) other.close();
  });
  for (const other of others) forwardEvents(main, other);
}

function forwardEvents(main: ClosableServer, other: ClosableServer): void {
  other.on('clientError', (...args) => main.emit('clientError', ...args));
  const forward = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    main.emit('upgrade', request, socket, head);
  };
  // A server that has a listener gives it every request that asks for an upgrade; one that has none answers them like others.
  if (main.listenerCount('upgrade') > 0) other.on('upgrade', forward);
  main.on('newListener', (name) => {
    if (name === 'upgrade' && other.listenerCount('upgrade') === 0) other.on('upgrade', forward);
  });
  main.on('removeListener', (name) => {
    if (name === 'upgrade' && main.listenerCount('upgrade') === 0) other.removeListener('upgrade', forward);
  });
}
