/** Decides who may see the page. */
import type { Reply, Request } from 'ambit';
import type { InspectorOptions } from './options.ts';

/** The names under which a browser reaches its own machine. Any other name may be one that an attacker's DNS points here. */
const localHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;
const loopback = /^(?:::ffff:)?127\.|^::1$/;
/** A proxy has added one of these, or one of `X-Forwarded-…`: then the client may be anywhere. */
const proxyHeaders: ReadonlySet<string> = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-host',
  'x-original-url',
  'x-original-forwarded-for',
  'x-envoy-external-address',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'fly-client-ip',
  'cdn-loop',
]);

type Head = Pick<Request, 'headers' | 'raw' | 'socket'>;

/** Why a request does not come from a browser on this machine that was told the name of this machine; `undefined` if it does. */
function whyNotLocal({ headers, raw, socket }: Head): string | undefined {
  if (!loopback.test(socket?.remoteAddress ?? '')) return 'the client is not on this machine';
  const hosts = hostsOf(headers, raw);
  const other = hosts.find((host) => !localHost.test(host));
  if (other !== undefined || hosts.length === 0) return 'the Host header is not a name of this machine';
  const proxied = Object.keys(headers).find(
    (name) => name.startsWith('x-forwarded') || proxyHeaders.has(name),
  );
  if (proxied !== undefined) return `the request passed through a proxy: it has the header ${proxied}`;
  // Browsers have not sent HTTP/1.0 for decades. Some proxies send it to the servers behind them.
  if (raw.httpVersion === '1.0') return 'the request uses HTTP/1.0, as proxies do';
  return undefined;
}

/** Every name that the request has for the server: all must be local (RFC 9112, section 3.2; RFC 9113, section 8.3.1). */
function hostsOf(headers: Request['headers'], { url = '', rawHeaders = [] }: Request['raw']): string[] {
  const target = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
  // Node keeps the first of several Host headers.
  const raw = rawHeaders.filter((_value, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === 'host');
  return [headers.host, headers[':authority'], target, raw].flat().filter((host) => host !== undefined);
}

/** Whether a page of another origin made the browser send the request (Fetch Metadata; RFC 6454 for `Origin`). */
function isCrossOrigin({ headers }: Pick<Request, 'headers'>): boolean {
  const { origin, host = headers[':authority'], 'sec-fetch-site': site } = headers;
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination = 'document' } = headers;
  // Whoever follows a link to the page comes from another site, and gets a page of its own. A frame is no such page.
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return mode !== 'navigate' || destination !== 'document';
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}

/** The hook that guards every route of the inspector. It tells only the log that there is an inspector. */
export function makeGuard({ guard }: InspectorOptions): (request: Request, reply: Reply) => Promise<void> {
  return async (request, reply) => {
    const reason = isCrossOrigin(request)
      ? 'a page of another origin asked'
      : guard === undefined
        ? whyNotLocal(request)
        : (await guard(request, reply)) === true
          ? undefined
          : 'the guard did not return true';
    if (reason === undefined || reply.sent) return;
    request.log.info({ reason }, 'the inspector refused a request');
    reply.callNotFound();
  };
}
