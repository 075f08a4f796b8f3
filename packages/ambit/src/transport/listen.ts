/** Binds servers to addresses. `localhost` is two of them: 127.0.0.1 and ::1 (RFC 6761, 6.3). */
import type { AddressInfo } from 'node:net';
import { lazyModule, require } from '../shared/lazy-module.ts';
import type { ListenOptions } from '../types/options.ts';
import type { ClosableServer } from './node-server.ts';

const loadDns = lazyModule<typeof import('node:dns/promises')>(() => require('node:dns/promises'));
const loadOs = lazyModule<typeof import('node:os')>(() => require('node:os'));

/** Resolves when the server listens. Rejects with the system's error if it cannot. */
export function bind(server: ClosableServer, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error): void => {
      server.removeListener('listening', onListening);
      reject(error);
    };
    const onListening = (): void => {
      server.removeListener('error', onError);
      resolve();
    };
    server.once('error', onError);
    server.once('listening', onListening);
    server.listen(options);
  });
}

/**
 * Binds the other addresses of `localhost` to the port of the main server (specification 2.6), one server each. An address that cannot be
 * bound is left out, because the main server listens.
 */
export async function bindOtherAddresses(
  main: ClosableServer,
  options: ListenOptions,
  makeAnother: () => ClosableServer,
): Promise<ClosableServer[]> {
  const primary = main.address() as AddressInfo;
  const resolved = await loadDns()
    .lookup(options.host!, { all: true })
    .catch(() => []);
  // A hosts file may contain only one of the two, but the name means both (RFC 6761, 6.3).
  const addresses = new Set([...resolved.map(({ address }) => address), '127.0.0.1', '::1']);
  const others: ClosableServer[] = [];
  for (const address of addresses) {
    if (address === primary.address) continue;
    const server = makeAnother();
    try {
      await bind(server, { ...options, host: address, port: primary.port });
      others.push(server);
    } catch {
      server.close();
    }
  }
  return others;
}

/** Whether the server listens on an open file descriptor: node prefers it to a port or a path. */
export function hasDescriptor({ fd }: ListenOptions): boolean {
  return typeof fd === 'number' && fd >= 0;
}

/** The addresses to show for a bound server. The IPv4 wildcard is replaced by the addresses of all interfaces. */
export function publicAddresses(
  server: Pick<ClosableServer, 'address'>,
  scheme: 'http' | 'https',
  options: ListenOptions,
): string[] {
  const bound = server.address();
  // Node does not know the path of a UNIX socket that it has not opened.
  if (bound === null) return hasDescriptor(options) ? [`fd://${options.fd}`] : [];
  if (typeof bound === 'string') return [bound];
  const { address, port } = bound;
  if (address.includes(':')) return [`${scheme}://[${address}]:${port}`];
  const hosts = address === '0.0.0.0' ? ownAddresses() : [address];
  return hosts.map((host) => `${scheme}://${host}:${port}`);
}

/** IPv4 addresses of this machine, internal ones first. */
function ownAddresses(): string[] {
  return Object.values(loadOs().networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ family }) => family === 'IPv4')
    .sort((a, b) => Number(b.internal) - Number(a.internal))
    .map(({ address }) => address);
}
