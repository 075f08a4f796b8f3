/** Reads the argument of `close`: options, a callback, or nothing. */
import { withLocation } from '../change-context.ts';
import { nodeOf } from '../context-node.ts';
import { checkCloseOptions } from './check-close-options.ts';

type CloseListener = (error?: Error) => void;

/** @throws {CloseOptionsInvalid} {UnknownOption} */
export function close<Root extends object>(
  root: Root,
  given: unknown,
): Root | Promise<void> | Promise<number> {
  const node = nodeOf(root);
  const { app } = node;
  // `process.once('SIGTERM', app.close)` passes the name of the signal.
  if (given === undefined || typeof given === 'string') return app.close();
  if (typeof given === 'function') {
    const listener = given as CloseListener;
    app.close().then(() => listener(), listener);
    return root;
  }
  withLocation(node, () => checkCloseOptions(given));
  return app.closeGracefully(given as object);
}
