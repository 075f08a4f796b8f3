/** Does a request come from a browser on this machine? */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** The host names with which a browser reaches its own machine. An attacker's DNS may resolve any other name to this machine. */
const localHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;
const loopback = /^(?:::ffff:)?127\.|^::1$/;
/** Headers that proxies add, as they add `X-Forwarded-…`. If a request has one, the client may be on any machine. */
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

/** Returns whether an address is one of this machine. @param address The address of a client. */
export function isLoopback(address: string | undefined): boolean {
  return loopback.test(address ?? '');
}

/** The parts of a request that are read. */
export interface RequestHead {
  /** The headers, with their names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Node's request. */
  readonly raw: Pick<IncomingMessage, 'httpVersion'> & Partial<Pick<IncomingMessage, 'url' | 'rawHeaders'>>;
  /** The connection, for the address of its other end. */
  readonly socket: { readonly remoteAddress?: string | undefined } | undefined;
}

/**
 * Says why a request does not come from a browser on this machine with a local host name; `undefined` if it does. What may be shown to
 * developers, such as lines of the program, is for such requests only.
 *
 * @param request The request. Headers can only show that it is not local: what proxies claim is not believed.
 */
export function reasonNotLocal({ headers, raw, socket }: RequestHead): string | undefined {
  if (!isLoopback(socket?.remoteAddress)) return 'the client is not on this machine';
  const hosts = hostsOf(headers, raw);
  const foreignHost = hosts.find((host) => !localHost.test(host));
  if (foreignHost !== undefined || hosts.length === 0) return 'the Host header is not a name of this machine';
  const proxyHeader = Object.keys(headers).find(
    (name) => name.startsWith('x-forwarded') || proxyHeaders.has(name),
  );
  if (proxyHeader !== undefined)
    return `the request passed through a proxy: it has the header ${proxyHeader}`;
  // Browsers no longer send HTTP/1.0, but some proxies send it to the servers behind them.
  if (raw.httpVersion === '1.0') return 'the request uses HTTP/1.0, as proxies do';
  return undefined;
}

/** All names of the server in a request. All of them must be local (RFC 9112, section 3.2; RFC 9113, section 8.3.1). */
function hostsOf(headers: IncomingHttpHeaders, { url = '', rawHeaders = [] }: RequestHead['raw']): string[] {
  const target = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
  // `headers` contains only the first of several Host headers.
  const raw = rawHeaders.filter((_value, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === 'host');
  return [headers.host, headers[':authority'], target, raw].flat().filter((host) => host !== undefined);
}
