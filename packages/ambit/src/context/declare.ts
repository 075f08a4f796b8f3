/** Runs what a context declares: before boot is over, and with the place of the declaration in what it throws. */
import { AlreadyStarted } from '../contract/errors.ts';
import { CallSite } from '../shared/call-site.ts';
import { locateError } from '../shared/define-error.ts';
import { type ContextNode, nodeOf } from './context-node.ts';

/**
 * Runs a declaration on the node of a context, and returns the context, so that calls chain.
 *
 * @throws What `tooLate` makes once boot is over: the tables are frozen then.
 */
export function declare<This extends object>(
  context: This,
  call: string,
  run: (node: ContextNode) => void,
  tooLate: (call: string) => Error = (call) => new AlreadyStarted(`Cannot call "${call}"!`),
): This {
  const node = nodeOf(context);
  withLocation(node, () => {
    if (node.app.isStarted) throw tooLate(call);
    run(node);
  });
  return context;
}

/** Adds to what a declaration throws the context and the caller's file. */
export function withLocation<T>(node: ContextNode, run: () => T): T {
  try {
    return run();
  } catch (error) {
    locateError(error, () => ({ plugin: node.path, file: new CallSite().place }));
    throw node.app.wordError(error);
  }
}
