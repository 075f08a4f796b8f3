/** Owns the URL of a request, as `Request` has it: absolute, and in the canonical form of the URL standard. */
import type { Exchange } from '../exchange/exchange.ts';

/** Characters that the URL parser leaves in a path and a query as they are. */
const plainCharacters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_~!$&()*+,;=:@/?%.';
const isPlain: Uint8Array = new Uint8Array(128);
for (const character of plainCharacters) isPlain[character.charCodeAt(0)] = 1;

const slash = 0x2f;
const dot = 0x2e;
const percent = 0x25;

// HOT: once per request.
/** Whether the URL parser leaves a target as it is. Segments that begin with a dot, or with an escape that may be one, are for the parser. */
function isCanonical(target: string): boolean {
  let before = 0;
  for (let i = 0; i < target.length; i++) {
    const code = target.charCodeAt(i);
    if (isPlain[code] !== 1) return false;
    if (before === slash && (code === dot || code === percent)) return false;
    before = code;
  }
  return true;
}

/** Hosts in their canonical form, by their scheme and what clients sent. Most clients send one of a few. */
const origins: Map<string, string> = new Map();
const mostOrigins = 100;

/** @throws {TypeError} if the URL parser rejects the host. */
function originOf(scheme: string, host: string): string {
  const given = `${scheme}://${host}`;
  const known = origins.get(given);
  if (known !== undefined) return known;
  const { origin } = new URL(given);
  // A client that invents hosts must not fill the memory.
  if (origins.size < mostOrigins) origins.set(given, origin);
  return origin;
}

/** A path begins with a slash, and `*` stands for the server itself (RFC 9112, 3.2). */
function isWholeUrl(target: string): boolean {
  return target.charCodeAt(0) !== slash && target !== '*';
}

/** The host that a target names itself. It counts instead of the field `Host` (RFC 9112, 3.2.2). `undefined` for a path. */
export function hostOfTarget({ target }: Exchange): string | undefined {
  return isWholeUrl(target) ? new URL(target).host : undefined;
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
 * @throws {TypeError} if the target or the host is no URL of this server.
 */
export function urlOf(exchange: Exchange, scheme: 'http' | 'https'): string {
  const { target } = exchange;
  if (isWholeUrl(target)) return absoluteUrl(target, scheme);
  // HTTP/1.0 has requests without a host, and the field is empty if the client knows none, as on a UNIX socket (RFC 9112, 3.2).
  const origin = originOf(scheme, exchange.header('host') || 'localhost');
  if (target === '*') return `${origin}/*`;
  return isCanonical(target) ? origin + target : new URL(origin + target).href;
}
