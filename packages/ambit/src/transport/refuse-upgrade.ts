/** Rejects WebSocket requests that come through `app.fetch`. */

import { earlyError } from '../shared/early-error.ts';
import { RuntimeUnsupported } from '../types/errors.ts';
import type { AmbitOptions } from '../types/options.ts';

/**
 * Returns the response to a WebSocket request, if the application serves WebSockets on the sockets of node's server. With `app.fetch`,
 * there is no socket, and routes would handle the request like any other.
 */
export function refuseUpgrade(
  request: Request,
  server: { listenerCount?(event: string): number },
  format: AmbitOptions['errors'] = 'json',
): Response | undefined {
  // The cheaper check first: runtimes create the headers when they are first read.
  if (!server.listenerCount?.('upgrade')) return undefined;
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') return undefined;
  const { message, code } = new RuntimeUnsupported(
    "the event 'upgrade' of app.server",
    'Requests of `app.fetch` have no socket: serve the application with `listen`',
  );
  const { fields, body } = earlyError(format, { status: 501, message, code });
  return new Response(body, { status: 501, headers: fields });
}
