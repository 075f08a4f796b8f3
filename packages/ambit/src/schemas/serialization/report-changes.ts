/** Reports what serializing changes in values: each change once, so that a busy route does not repeat itself. */
import type { Diagnostic } from '@ambit/json-serializer';
import type { SerializerRequest } from '../../types/compilers.ts';
import type { SerializationChange } from '../../types/inspection.ts';

/** A function that is called with each change. */
export type ChangeListener = (change: SerializationChange) => void;

/** The most changes that are reported for one response schema, because a value whose keys are data has a path for each key. */
const maxChanges = 100;

/** Creates the function that receives the diagnostics of one serializer. */
export function reportChanges(
  listeners: readonly ChangeListener[],
  { method, url, httpStatus, contentType }: SerializerRequest,
): (diagnostic: Diagnostic) => void {
  const seen = new Set<string>();
  return ({ kind, path, message }) => {
    const change = `${kind} ${withoutIndexes(path)}`;
    if (seen.size === maxChanges || seen.has(change)) return;
    seen.add(change);
    const isLast = seen.size === maxChanges;
    // A schema that a handler compiles itself has neither status nor media type.
    const report = { method, url, status: httpStatus, contentType, kind, path, message, isLast };
    for (const listener of listeners) listener(report);
  };
}

/** Replaces indexes, so that all items of an array have the same path. */
function withoutIndexes(path: string): string {
  return path.replace(/\/\d+(?=\/|$)/g, '/*');
}
