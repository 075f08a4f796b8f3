/** Reads the builder objects of fluent-json-schema. */

const fluentMarker = Symbol.for('fluent-schema-object');

/** Returns the JSON Schema in a builder object of fluent-json-schema. Any other value is returned as it is. */
export function plainSchema(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const {
    isFluentSchema,
    isFluentJSONSchema,
    [fluentMarker]: isMarked,
  } = schema as Record<string | symbol, unknown>;
  return isFluentSchema || isFluentJSONSchema || isMarked ? schema.valueOf() : schema;
}
