/** Tells what the overload protection of a running application does. */
import type { Context } from '../contract/context.ts';
import type { OverloadState } from '../contract/overload.ts';
import { nodeOf } from './context-node.ts';

/**
 * Tells what the overload protection of a context does at the moment, for metrics.
 *
 * @param context Any context of an application that has booted.
 * @returns A copy; `undefined` where the context has no protection.
 */
export function overloadState(context: Context): OverloadState | undefined {
  return nodeOf(context).gate?.state;
}
