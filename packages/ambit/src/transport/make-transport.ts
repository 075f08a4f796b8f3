/** Chooses the transport of an application: servers of node, or the server of the runtime. */
import { createRequire } from 'node:module';
import { bun, deno } from '../shared/js-runtime.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import type { ServerSettings } from '../types/options.ts';
import { NodeTransport } from './node-transport.ts';
import type { Transport, TransportHost } from './transport.ts';

const require = createRequire(import.meta.url);

const loadWebTransport = lazyModule<typeof import('./web-transport.ts')>(() => require('./web-transport.ts'));

/** On Bun and Deno, the option `engine: 'node'` selects the runtime's `node:http`. */
export function makeTransport(settings: ServerSettings, host: TransportHost): Transport {
  if ((bun === undefined && deno === undefined) || settings.userOptions.engine === 'node')
    return new NodeTransport(settings, host);
  return new (loadWebTransport().WebTransport)(settings, host);
}
