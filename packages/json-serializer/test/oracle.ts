/** The oracle of the tests: fast-json-stringify. Our output must equal its output, if it has one. */

import { createRequire } from 'node:module';
import type { JsonSchema } from '@ambit/json-schema';

type Build = (
  schema: JsonSchema,
  options: { schema: Record<string, JsonSchema>; rounding: string; ajv: object },
) => (value: unknown) => string;

// No package depends on it. The workspace installs it for tests.
const build = createRequire(import.meta.url)('fast-json-stringify') as Build;

/** What the oracle writes; undefined if it rejects the schema or the value, or writes text that is not JSON. */
export function askOracle(
  schema: JsonSchema,
  value: unknown,
  refs: Record<string, JsonSchema> = {},
  rounding = 'trunc',
): string | undefined {
  return makeOracle(schema, refs, rounding)(value);
}

/** The same for many values of one schema. */
export function makeOracle(
  schema: JsonSchema,
  refs: Record<string, JsonSchema> = {},
  rounding = 'trunc',
): (value: unknown) => string | undefined {
  const write = unlessThrown(() =>
    build(structuredClone(schema), { schema: structuredClone(refs), rounding, ajv: { logger: false } }),
  );
  return (value) =>
    unlessThrown(() => {
      const text = write?.(value);
      if (text !== undefined) JSON.parse(text);
      return text;
    });
}

function unlessThrown<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
