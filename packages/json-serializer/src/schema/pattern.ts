/** Owns the regular expressions of schemas. */
import { SchemaError } from '../errors.ts';

/**
 * In Unicode mode, where a character beyond U+FFFF is one, as Ajv reads patterns; in the old mode for those that only that one takes,
 * such as `\-`. Undefined for what is no regular expression.
 */
export function parsePattern(source: unknown): RegExp | undefined {
  if (typeof source !== 'string') return undefined;
  return tryPattern(source, 'u') ?? tryPattern(source, '');
}

/** @throws {SchemaError} at a place when it is none. */
export function compilePattern(source: string, place: string): RegExp {
  const pattern = parsePattern(source);
  if (pattern === undefined) throw new SchemaError(`"${source}" is not a regular expression`, place);
  return pattern;
}

function tryPattern(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}
