/** Owns the warnings of what serializing changes: each change once, so that a busy route does not fill the log. */
import type { Diagnostic } from '@ambit/json-serializer';
import type { SerializerRequest } from '../../contract/compiler.ts';
import type { Logger } from '../../contract/logger.ts';

/** Most warnings for one response schema: a value whose keys are data has a path of its own for each of them. */
const maxWarnings = 100;

/** Makes what takes the diagnostics of one serializer. */
export function warnOfDiagnostics(log: Logger, request: SerializerRequest): (diagnostic: Diagnostic) => void {
  const { method, url, httpStatus, contentType } = request;
  const route = `${method} ${url}`;
  // What handlers compile by hand has neither status nor media type.
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

/** The path of one item of an array stands for those of all the others. */
function withoutIndexes(path: string): string {
  return path.replace(/\/\d+(?=\/|$)/g, '/*');
}
