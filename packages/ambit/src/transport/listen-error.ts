/** Gives the errors of the servers of Bun and Deno the form that they have on node, which names the address. */
import { isIP } from 'node:net';
import { isError } from '../shared/thrown-values.ts';
import type { ListenOptions } from '../types/options.ts';

/** What node says about the errors of the system. */
const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'address already in use',
  EADDRNOTAVAIL: 'address not available',
  EACCES: 'permission denied',
  ENOENT: 'no such file or directory',
};

/**
 * @param listen What the server could not open: `host` is the address.
 * @returns An error with the code, the message and the fields of node; `error` itself if it is of another kind.
 */
export function listenError(error: unknown, { host = '', port, path }: ListenOptions): unknown {
  if (!isError(error)) return error;
  const { code, message } = error as Error & { code?: string };
  if (path === undefined && isIP(host) === 0 && (code === 'EINVAL' || message.includes('lookup address')))
    return Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`, { cause: error }), {
      code: 'ENOTFOUND',
      syscall: 'getaddrinfo',
      hostname: host,
    });
  const reason = reasons[String(code)];
  if (reason === undefined) return error;
  const address = path ?? host;
  const place = path === undefined && Number(port) > 0 ? `${address}:${port}` : address;
  return Object.assign(new Error(`listen ${code}: ${reason} ${place}`, { cause: error }), {
    code,
    syscall: 'listen',
    address,
    port: path === undefined ? Number(port) : undefined,
  });
}
