/** Checks the host of requests on connections that node serves, as strictly as the engine does. */
import type { IncomingMessage } from 'node:http';
import { isHost } from '../grammar/host.ts';

/**
 * Whether the Host of a request is valid. If there are two, or one that is invalid, the request must be rejected with 400
 * (RFC 9112, 3.2). Node itself checks that there is one.
 */
export function hasValidHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    const value = Buffer.from(rawHeaders[i + 1]!, 'latin1');
    if (++hosts > 1 || !isHost(value, 0, value.length)) return false;
  }
  return true;
}

/**
 * Gives a request with an absolute target, such as `http://example.org/`, the host of the target instead of its field Host (RFC 9112, 3.2.2).
 * Returns false if that host is not valid.
 */
export function takeTargetHost({ url, headers }: IncomingMessage): boolean {
  if (url!.startsWith('/')) return true;
  const host = /^https?:\/\/([^/?#]*)/i.exec(url!)?.[1];
  if (host === undefined) return true;
  const bytes = Buffer.from(host, 'latin1');
  if (bytes.length === 0 || !isHost(bytes, 0, bytes.length)) return false;
  headers.host = host;
  return true;
}
