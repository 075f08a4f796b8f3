/** Reads the argument of `close`: options, a callback, or nothing. */
import { withLocation } from '../change-context.ts';
import { nodeOf } from '../context-node.ts';
import { checkCloseOptions } from './check-close-options.ts';

type CloseListener = (error?: Error) => void;

/** @throws {CloseOptionsInvalid} {UnknownOption} */
export function close<Root extends object>(
  root: Root,
  optionsOrListener: unknown,
): Root | Promise<void> | Promise<number> {
  const node = nodeOf(root);
  const { app } = node;
  // `process.once('SIGTERM', app.close)` passes the name of the signal.
  if (optionsOrListener === undefined || typeof optionsOrListener === 'string') return app.close();
  if (typeof optionsOrListener === 'function') {
    const listener = optionsOrListener as CloseListener;
    app.close().then(() => listener(), listener);
    return root;
  }
  withLocation(node, () => checkCloseOptions(optionsOrListener));
  return app.closeGracefully(optionsOrListener as object);
}
