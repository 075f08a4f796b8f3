/** Owns the walk of values that no schema describes: only what JSON itself cannot hold is found there. */
import { SerializationError } from '../errors.ts';
import { joinPointer } from '../pointer.ts';
import type { Inspector } from './inspector.ts';

export function inspectAny(inspector: Inspector, value: unknown, path: string): void {
  if (typeof value === 'bigint') {
    throw new SerializationError('a bigint needs a schema of type integer to be written as JSON', path);
  }
  if (typeof value !== 'object' || value === null) return;
  const source = (value as { toJSON?: unknown }).toJSON;
  if (typeof source === 'function') {
    const written: unknown = source.call(value, '');
    // A value may write itself as itself.
    if (written !== value) {
      inspector.guard(written, path, () => inspectAny(inspector, written, path));
      return;
    }
  }
  for (const key of Object.keys(value)) inspectChild(inspector, value, key, joinPointer(path, key));
}

function inspectChild(inspector: Inspector, parent: object, key: string, path: string): void {
  let child: unknown;
  inspector.guard(undefined, path, () => {
    child = (parent as Record<string, unknown>)[key];
  });
  inspector.guard(child, path, () => inspectAny(inspector, child, path));
}
