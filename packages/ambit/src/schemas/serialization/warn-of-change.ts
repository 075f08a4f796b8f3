/** Logs what serializing changes in values. */
import type { Logger } from '../../types/logger.ts';
import type { ChangeListener } from './report-changes.ts';

/** Logs one change as a warning. */
export function warnOfChange(
  log: Logger,
  { method, url, status, contentType, kind, path, message, isLast }: Parameters<ChangeListener>[0],
): void {
  const route = `${method} ${url}`;
  const place = [route, status, contentType].filter(Boolean).join(', ');
  const end = isLast ? '; nothing further is reported for this response schema' : '';
  log.warn(
    { route, ...(status && { status }), kind, path },
    `serialization of ${place}: ${path === '' ? 'the whole value' : path}: ${message}${end}`,
  );
}
