/** Moves the examples of a schema to what it is the schema of, where pages show them. */
import { isObject, type Json } from '../json.ts';

/** Takes `example`, `examples` and `x-examples` out of a schema, and gives them to its parameter or media type. */
export function takeExamples(schema: Json, owner: Json): void {
  const { example, examples, 'x-examples': named } = schema;
  if (isObject(named)) owner.examples = named;
  else if (Array.isArray(examples) && examples.length > 1) owner.examples = nameExamples(examples);
  else if (Array.isArray(examples) && examples.length === 1) owner.example = examples[0];
  else if (example !== undefined) owner.example = example;
  else return;
  delete schema.example;
  delete schema.examples;
  delete schema['x-examples'];
}

function nameExamples(examples: readonly unknown[]): Json {
  return Object.fromEntries(
    examples.map((value, i) => [typeof value === 'object' ? `example${i + 1}` : String(value), { value }]),
  );
}
