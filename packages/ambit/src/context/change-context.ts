/** Runs the methods that change a context: not after boot, and with the place of the call in every error. */
import { AlreadyStarted } from '../contract/errors.ts';
import { CallSite } from '../shared/call-site.ts';
import { type ErrorPlace, withErrorPlace } from '../shared/error-place.ts';
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

/** Adds the context and the caller's file to what a function throws. */
export function withLocation<T>(node: ContextNode, run: () => T): T {
  const where = (): ErrorPlace => ({ plugin: node.path, file: new CallSite().place });
  return withErrorPlace(run, where, node.app.translateError);
}
