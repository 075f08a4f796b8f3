/** Owns the oracle of the tests: fast-json-stringify, whose output ours must equal wherever it has one. */
import { createRequire } from 'node:module';
import type { JsonSchema } from '../src/json-schema.ts';

type Build = (
  schema: JsonSchema,
  options: { schema: Record<string, JsonSchema>; rounding: string; ajv: object },
) => (value: unknown) => string;

// It is no dependency of any package: the workspace has it for tests.
const build = createRequire(import.meta.url)('fast-json-stringify') as Build;

/** What the oracle writes; undefined where it refuses the schema or the value, or writes something that is not JSON. */
export function askOracle(
  schema: JsonSchema,
  value: unknown,
  refs: Record<string, JsonSchema> = {},
  rounding = 'trunc',
): string | undefined {
  try {
    const text = build(structuredClone(schema), {
      schema: structuredClone(refs),
      rounding,
      ajv: { logger: false },
    })(value);
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
}
