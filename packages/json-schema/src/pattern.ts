/** The regular expressions of schemas. */
import { SchemaError } from './schema.ts';

/**
 * Compiles a pattern in Unicode mode, as Ajv does: a character beyond U+FFFF is one character. Patterns that are only
 * valid without this mode, such as `\-`, are compiled without it. Undefined for an invalid regular expression.
 *
 * @param source The text of the pattern.
 */
export function parsePattern(source: unknown): RegExp | undefined {
  if (typeof source !== 'string') return undefined;
  return tryPattern(source, 'u') ?? tryPattern(source, '');
}

/**
 * Compiles a pattern as `parsePattern` does.
 *
 * @param source The text of the pattern.
 * @param schemaPath Where it is in the schema.
 * @throws {SchemaError} with the path in the schema, for an invalid regular expression.
 */
export function compilePattern(source: string, schemaPath: string): RegExp {
  const pattern = parsePattern(source);
  if (pattern === undefined) throw new SchemaError(`"${source}" is not a regular expression`, schemaPath);
  return pattern;
}

function tryPattern(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}
