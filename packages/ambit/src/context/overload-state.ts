/** Returns the state of overload protection in a running application. */
import type { Context } from '../types/context.ts';
import type { OverloadState } from '../types/feature-options.ts';
import { nodeOf } from './context-node.ts';

/**
 * Returns the current state of the overload protection of a context, for metrics.
 *
 * @param context Any context of an application that has booted.
 * @returns A copy of the state; `undefined` if the context has no protection.
 */
export function overloadState(context: Context): OverloadState | undefined {
  return nodeOf(context).admissionController?.state;
}
