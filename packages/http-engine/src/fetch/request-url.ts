/** Builds the URL of a request for `Request`: absolute, and in the canonical form of the URL standard. */
import type { Exchange } from '../exchange/exchange.ts';

/** Characters that the URL parser leaves in a path and a query as they are. */
const plainCharacters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_~!$&()*+,;=:@/?%.';
const isPlain: Uint8Array = new Uint8Array(128);
for (const character of plainCharacters) isPlain[character.charCodeAt(0)] = 1;

const slash = 0x2f;
const dot = 0x2e;
const percent = 0x25;

// HOT: once per request.
/**
 * Whether the URL parser would not change a target. A segment that begins with a dot, or with an escape that may stand for one, needs the
 * parser.
 */
function isCanonical(target: string): boolean {
  let previous = 0;
  for (let i = 0; i < target.length; i++) {
    const code = target.charCodeAt(i);
    if (isPlain[code] !== 1) return false;
    if (previous === slash && (code === dot || code === percent)) return false;
    previous = code;
  }
  return true;
}

/** Origins in their canonical form, by the scheme and the host that clients sent. Most clients send one of a few hosts. */
const origins: Map<string, string> = new Map();
const maxOrigins = 100;

/** @throws {TypeError} if the URL parser rejects the host. */
function originOf(scheme: string, host: string): string {
  const url = `${scheme}://${host}`;
  const cached = origins.get(url);
  if (cached !== undefined) return cached;
  const { origin } = new URL(url);
  // The limit keeps a client that invents hosts from filling the memory.
  if (origins.size < maxOrigins) origins.set(url, origin);
  return origin;
}

/** Whether a target is a URL. It is not if it begins with a slash, or is `*`, which stands for the server itself (RFC 9112, 3.2). */
function isAbsoluteUrl(target: string): boolean {
  return target.charCodeAt(0) !== slash && target !== '*';
}

/** The host in a target that is a URL: it is used instead of the field `Host` (RFC 9112, 3.2.2). `undefined` for a path. */
export function hostOfTarget({ target }: Exchange): string | undefined {
  return isAbsoluteUrl(target) ? new URL(target).host : undefined;
}

/**
 * @throws {TypeError} for another scheme than that of the connection (RFC 9110, 7.4), and for credentials (4.2.4).
 */
function absoluteUrl(target: string, scheme: string): string {
  const { protocol, username, password, href } = new URL(target);
  if (protocol !== `${scheme}:` || username !== '' || password !== '')
    throw new TypeError(`The target must be a URL of ${scheme} without credentials`);
  return href;
}

// HOT: once per request.
/**
 * The URL of a request.
 *
 * @throws {TypeError} if the target or the host does not form a valid URL of this server.
 */
export function urlOf(exchange: Exchange, scheme: 'http' | 'https'): string {
  const { target } = exchange;
  if (isAbsoluteUrl(target)) return absoluteUrl(target, scheme);
  // HTTP/1.0 has requests without a host, and the field is empty if the client knows none, as on a UNIX socket (RFC 9112, 3.2).
  const origin = originOf(scheme, exchange.header('host') || 'localhost');
  if (target === '*') return `${origin}/*`;
  return isCanonical(target) ? origin + target : new URL(origin + target).href;
}
