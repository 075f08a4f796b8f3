/** Makes the servers of the other addresses of `localhost` follow the main server, which is the only one that users see. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ClosableServer } from './node-server.ts';

/** Methods of the main server that must also be called on the others. */
const sharedMethods = ['ref', 'unref', 'close', 'closeAllConnections', 'closeIdleConnections'] as const;

/** From now on, the others close with the main server, and keep the process alive only as long as it does. */
export function followServer(main: ClosableServer, others: readonly ClosableServer[]): void {
  for (const name of sharedMethods) {
    const mainMethod = main[name] as ((...args: never[]) => never) | undefined;
    if (mainMethod === undefined) continue;
    main[name] = (...args: never[]): never => {
      for (const other of others) if (name !== 'close' || other.listening) other[name]();
      return mainMethod.apply(main, args);
    };
  }
  // Code that calls the method of node's class, instead of that of the object, only causes this event.
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
  // A server with an `upgrade` listener passes it every upgrade request. A server without one handles them like other requests.
  if (main.listenerCount('upgrade') > 0) other.on('upgrade', forward);
  main.on('newListener', (name) => {
    if (name === 'upgrade' && other.listenerCount('upgrade') === 0) other.on('upgrade', forward);
  });
  main.on('removeListener', (name) => {
    if (name === 'upgrade' && main.listenerCount('upgrade') === 0) other.removeListener('upgrade', forward);
  });
}
