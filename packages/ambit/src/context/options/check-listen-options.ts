/** Checks the options of `listen`, because the server would listen at the wrong address if an option were misspelled. */

import { ListenOptionsInvalid } from '../../types/errors.ts';
import type { ListenOptions } from '../../types/options.ts';
import { checkNames, checkTypes, type OptionTypes } from './check-options.ts';

const ownTypes: OptionTypes = { listenTextResolver: ['function'] };
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
const names = [...Object.keys(ownTypes), ...Object.keys(nodeTypes), 'signal'];

/**
 * @param isOwnServer Whether the application creates its server itself: the server may have listen options of its own.
 * @throws {ListenOptionsInvalid} {UnknownOption}
 */
export function checkListenOptions(options: unknown, isOwnServer: boolean): asserts options is ListenOptions {
  if (typeof options !== 'object' || options === null) {
    const received = options === null ? 'null' : typeof options;
    throw new ListenOptionsInvalid(`options must be object, instead got ${received}`);
  }
  checkTypes(options, ownTypes, ListenOptionsInvalid);
  const { signal } = options as { signal?: { addEventListener?: unknown } | null };
  if (signal != null && typeof signal.addEventListener !== 'function') {
    throw new ListenOptionsInvalid('Invalid options.signal');
  }
  if (isOwnServer) return;
  checkNames(options, names, 'listen');
  checkTypes(options, nodeTypes, ListenOptionsInvalid);
}
