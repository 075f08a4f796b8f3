/** Stores which contexts are the inspector's own, because models and lists of requests leave them out. */
import type { Context } from 'ambit';

const own = new WeakSet<Context>();

export function markOwnContext(context: Context): void {
  own.add(context);
}

export function isOwnContext(context: Context): boolean {
  return own.has(context);
}
