/** Decides who may see the page. */
import type { Reply, Request } from 'ambit';
import type { InspectorOptions } from './options.ts';

/** The names under which a browser reaches its own machine. Any other name may be one that an attacker's DNS points here. */
const localHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;
const loopback = /^(?:::ffff:)?127\.|^::1$/;
/** A proxy has added one of these: then the client may be anywhere. */
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** Whether a request comes from this machine, and from a page of this machine. */
function isLocal({ headers, socket }: Pick<Request, 'headers' | 'socket'>): boolean {
  const host = headers.host ?? headers[':authority'];
  return (
    loopback.test(socket?.remoteAddress ?? '') &&
    typeof host === 'string' &&
    localHost.test(host) &&
    proxyHeaders.every((name) => headers[name] === undefined)
  );
}

/** Whether a page of another origin made the browser send the request (Fetch Metadata; RFC 6454 for `Origin`). */
function isCrossOrigin({ headers }: Pick<Request, 'headers'>): boolean {
  const { origin, host = headers[':authority'], 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  // Whoever follows a link to the page comes from another site, and gets a page of its own.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return mode !== 'navigate';
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}

/** The hook that guards every route of the inspector. It tells nobody else that there is an inspector. */
export function makeGuard({ guard }: InspectorOptions): (request: Request, reply: Reply) => Promise<void> {
  return async (request, reply) => {
    const mayPass =
      !isCrossOrigin(request) && (guard === undefined ? isLocal(request) : await guard(request, reply));
    if (mayPass !== true && !reply.sent) reply.callNotFound();
  };
}
