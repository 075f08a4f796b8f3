/**
 * A call of `listen`: reads its options and its callback, and passes the address or the error to the promise or the callback (specification
 * 2.7).
 */
import { type AddressInfo, isIPv6 } from 'node:net';
import { CallSite } from '../shared/call-site.ts';
import { locateError } from '../shared/error-place.ts';
import { isAsyncFunction } from '../shared/thenable.ts';
import type { ListenOptions } from '../types/options.ts';
import { warnMixedStyles } from '../types/warnings.ts';
import { withLocation } from './change-context.ts';
import type { ContextNode } from './context-node.ts';
import { checkListenOptions } from './options/check-listen-options.ts';

export type ListenCallback = (error: Error | null, address: string) => void;

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
