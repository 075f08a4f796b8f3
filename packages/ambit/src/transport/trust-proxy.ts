/** Decides which peers' forwarding headers are trusted. By default, none are. */
import { createRequire } from 'node:module';

import { lazyModule } from '../shared/lazy-module.ts';
import type { AmbitOptions } from '../types/options.ts';

const require = createRequire(import.meta.url);

export type Trust = (address: string, hop: number) => boolean;
const loadProxyAddr = lazyModule<{ compile(addresses: string[]): Trust }>(() =>
  require('@fastify/proxy-addr'),
);

export function compileTrustProxy(trustProxy: AmbitOptions['trustProxy']): Trust | undefined {
  if (!trustProxy) return undefined;
  if (trustProxy === true) return () => true;
  if (typeof trustProxy === 'function') return trustProxy;
  // A number of hops does not show who the nearest peer is: any client could send as many addresses.
  if (typeof trustProxy === 'number') return () => false;
  const addresses =
    typeof trustProxy === 'string' ? trustProxy.split(',').map((text) => text.trim()) : trustProxy;
  return loadProxyAddr().compile(addresses);
}
