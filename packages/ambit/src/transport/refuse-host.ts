/** Refuses a request that node has read and whose Host the HTTP engine would refuse. */
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { invalidHost } from './engine.ts';

/** Tells listeners of `clientError` when the requests before it have their responses: they write to the socket. */
export function refuseHost(
  server: EventEmitter,
  { socket }: IncomingMessage,
  response: ServerResponse,
): void {
  const refuse = (): void => {
    server.emit('clientError', invalidHost(), socket);
  };
  // Node gives a response its socket when its turn has come.
  if (response.socket === null) response.once('socket', refuse);
  else refuse();
}
