/** Runs the methods that change a context. They throw after boot, and all their errors name the line of the call. */

import { CallSite } from '../shared/call-site.ts';
import { type ErrorPlace, withErrorPlace } from '../shared/error-place.ts';
import { AlreadyStarted } from '../types/errors.ts';
import { type ContextNode, nodeOf } from './context-node.ts';

/**
 * Changes a context's node.
 *
 * @param call The name of the method, for the error.
 * @param makeLateError Makes the error for a call after boot: the tables are frozen then.
 * @returns The context, so that calls chain.
 */
export function changeContext<This extends object>(
  context: This,
  call: string,
  change: (node: ContextNode) => void,
  makeLateError: (call: string) => Error = (call) => new AlreadyStarted(`Cannot call "${call}"!`),
): This {
  const node = nodeOf(context);
  withLocation(node, () => {
    if (node.app.isStarted) throw makeLateError(call);
    change(node);
  });
  return context;
}

/** Adds the context and the caller's file to the errors that a function throws. */
export function withLocation<T>(node: ContextNode, run: () => T): T {
  const where = (): ErrorPlace => ({ plugin: node.path, file: new CallSite().location });
  return withErrorPlace(run, where, node.app.translateError);
}
