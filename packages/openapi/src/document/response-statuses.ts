/** The statuses for which a document has responses: their list, their order and their default descriptions. */
import { STATUS_CODES } from 'node:http';
import type { ResponseObject } from '../document-types.ts';
import { isObject, type Json } from '../json.ts';

/** Declared and inherited responses, in the order of the document. */
export function entriesOf(
  declared: unknown,
  inherited: readonly (readonly [status: string, entry: unknown])[],
): [key: string, entry: unknown][] {
  const own = isObject(declared) ? Object.keys(declared) : [];
  const entries = own.map((key): [string, unknown] => [key.toLowerCase(), (declared as Json)[key]]);
  const hasOwn = (key: string): boolean => entries.some(([known]) => known === key);
  for (const [key, entry] of inherited) if (!hasOwn(key)) entries.push([key, entry]);
  if (own.length === 0 && !entries.some(([key]) => key.startsWith('2'))) entries.push(['200', undefined]);
  return entries.length > 1 ? entries.sort(([a], [b]) => rankOf(a) - rankOf(b)) : entries;
}

/**
 * Creates an object for statuses. V8 keeps keys that are numbers in an array with room for all smaller numbers. A key
 * that is much greater makes V8 use a hash table instead, which takes a tenth of the time to create
 * (`bench/describe-routes.mjs`).
 */
export function emptyByStatus(): { [status: string]: ResponseObject } {
  const responses: { [status: string]: ResponseObject } = {};
  responses[1_000_000] = {};
  delete responses[1_000_000];
  return responses;
}

/** Ranges come after exact statuses, and `default` is last. */
function rankOf(key: string): number {
  if (key === 'default') return 1_000;
  return key.endsWith('xx') ? Number(key[0]) * 100 + 99.5 : Number(key);
}

const ranges: Readonly<Record<string, string>> = {
  '1xx': 'Informational',
  '2xx': 'Success',
  '3xx': 'Redirection',
  '4xx': 'Client error',
  '5xx': 'Server error',
};

export function defaultDescription(key: string): string {
  return STATUS_CODES[key] ?? ranges[key] ?? 'Any other response';
}
