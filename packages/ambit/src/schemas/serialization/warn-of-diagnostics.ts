/** Logs what serializing changes in values: each change once, so that a busy route does not fill the log. */
import type { Diagnostic } from '@ambit/json-serializer';
import type { SerializerRequest } from '../../contract/compiler.ts';
import type { Logger } from '../../contract/logger.ts';

/** The most warnings for one response schema: a value whose keys are data has a path for each key. */
const maxWarnings = 100;

/** Makes the function that receives the diagnostics of one serializer. */
export function warnOfDiagnostics(log: Logger, request: SerializerRequest): (diagnostic: Diagnostic) => void {
  const { method, url, httpStatus, contentType } = request;
  const route = `${method} ${url}`;
  // A schema that a handler compiles itself has neither status nor media type.
  const place = [route, httpStatus, contentType].filter(Boolean).join(', ');
  const seen = new Set<string>();
  return ({ kind, path, message }) => {
    const change = `${kind} ${withoutIndexes(path)}`;
    if (seen.size === maxWarnings || seen.has(change)) return;
    seen.add(change);
    const end = seen.size === maxWarnings ? '; nothing further is reported for this response schema' : '';
    log.warn(
      { route, ...(httpStatus && { status: httpStatus }), kind, path },
      `serialization of ${place}: ${path === '' ? 'the whole value' : path}: ${message}${end}`,
    );
  };
}

/** One path stands for all items of an array. */
function withoutIndexes(path: string): string {
  return path.replace(/\/\d+(?=\/|$)/g, '/*');
}
