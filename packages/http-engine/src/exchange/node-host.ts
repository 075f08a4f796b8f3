/** Owns the check of Host for connections that node serves, which is as strict as that of the engine. */
import type { IncomingMessage } from 'node:http';
import { isHost } from '../grammar/host.ts';

/**
 * Whether the Host of a request must be rejected with 400 (RFC 9112, 3.2), because there are two or it is invalid. Node
 * itself checks that there is one.
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
