/** Rejects a request that node has read, if the HTTP engine would reject its Host. */
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { invalidHost } from './engine.ts';

/** Emits `clientError` when all earlier requests have their responses, because its listeners write to the socket. */
export function refuseHost(
  server: EventEmitter,
  { socket }: IncomingMessage,
  response: ServerResponse,
): void {
  const refuse = (): void => {
    server.emit('clientError', invalidHost(), socket);
  };
  // Node gives a response its socket after the earlier responses.
  if (response.socket === null) response.once('socket', refuse);
  else refuse();
}
