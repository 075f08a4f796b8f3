/**
 * A call of `listen`: reads its options and its callback, and passes the address or the error to the promise or the callback (specification
 * 2.7).
 */
import { type AddressInfo, isIPv6 } from 'node:net';
import { CallSite, locateError } from '../shared/call-site.ts';
import { isAsyncFunction } from '../shared/values.ts';
import { ListenOptionsInvalid } from '../types/errors.ts';
import type { ListenOptions } from '../types/options.ts';
import { warnMixedStyles } from '../types/warnings.ts';
import type { ListenCallback } from './app-state.ts';
import type { ContextNode } from './context-node.ts';
import { withLocation } from './definitions.ts';
import { checkNames, checkTypes, type OptionTypes, typeOf } from './options/check-options.ts';

/** @returns A promise of the address; `undefined` if a callback gets it. */
export function listen(
  node: ContextNode,
  optionsOrCallback: ListenOptions | ListenCallback = {},
  callbackAfterOptions?: ListenCallback,
): Promise<string | undefined> | undefined {
  const isCallback = typeof optionsOrCallback === 'function';
  const callback = isCallback ? optionsOrCallback : callbackAfterOptions;
  if (isAsyncFunction(callback)) warnMixedStyles(node.app.compatibility.messages, 'listen method');
  const options = isCallback ? {} : optionsOrCallback;
  const { app } = node;
  const site = new CallSite();
  withLocation(node, () => checkListenOptions(options, app.options.hasOwnServer));
  const listening = app.listen(options, callback).catch((error) => {
    locateError(error, () => ({ plugin: node.path, file: site.location }));
    throw app.translateError(error);
  });
  if (callback === undefined) return listening;
  listening.catch((error) => callback(error, null as never));
  return undefined;
}

/** The origin of URLs at an address. The path of a UNIX socket is returned as it is. */
export function originOf(address: AddressInfo | string, scheme: 'http' | 'https'): string {
  if (typeof address === 'string') return address;
  const host = isIPv6(address.address) ? `[${address.address}]` : address.address;
  return `${scheme}://${host}:${address.port}`;
}

const nodeTypes: OptionTypes = {
  port: ['number', 'string'],
  host: ['string'],
  path: ['string'],
  backlog: ['number', 'string'],
  exclusive: ['boolean'],
  readableAll: ['boolean'],
  writableAll: ['boolean'],
  ipv6Only: ['boolean'],
  reusePort: ['boolean'],
  fd: ['number'],
};

/** @param isOwnServer Whether the application creates its server itself: the server may have listen options of its own. */
function checkListenOptions(options: unknown, isOwnServer: boolean): void {
  if (typeof options !== 'object' || options === null)
    throw new ListenOptionsInvalid(`options must be object, instead got ${typeOf(options)}`);
  checkTypes(options, { listenTextResolver: ['function'] }, ListenOptionsInvalid);
  const { signal } = options as { signal?: { addEventListener?: unknown } | null };
  if (signal != null && typeof signal.addEventListener !== 'function') {
    throw new ListenOptionsInvalid('Invalid options.signal');
  }
  if (isOwnServer) return;
  checkNames(options, ['listenTextResolver', ...Object.keys(nodeTypes), 'signal'], 'listen');
  checkTypes(options, nodeTypes, ListenOptionsInvalid);
}
