/** Owns the check of Host on connections that node serves: it is as strict there as on the engine's. */
import type { IncomingMessage } from 'node:http';
import { isHost } from '../grammar/host.ts';

/**
 * Whether a request has no Host that RFC 9112, 3.2, wants answered 400: one at most, and a valid one. Node itself asks for one at least.
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
