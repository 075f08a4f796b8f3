/** Refuses WebSockets of clients that came by `app.fetch`. */
import { RuntimeUnsupported } from '../contract/errors.ts';
import type { AmbitOptions } from '../contract/options.ts';
import { earlyError } from '../shared/early-error-body.ts';

/**
 * The response to a client that asks for a WebSocket which the application serves on the sockets of node's server. It has none of
 * them here, and its routes would see a request as others are.
 */
export function refuseUpgrade(
  request: Request,
  server: { listenerCount?(event: string): number },
  format: AmbitOptions['errors'] = 'json',
): Response | undefined {
  // First what costs less: servers make the headers when they are first read.
  if (!server.listenerCount?.('upgrade')) return undefined;
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') return undefined;
  const { message, code } = new RuntimeUnsupported(
    "the event 'upgrade' of app.server",
    'Requests of `app.fetch` have no socket: serve the application with `listen`',
  );
  const { fields, body } = earlyError(format, { status: 501, message, code });
  return new Response(body, { status: 501, headers: fields });
}
