/** Moves the examples of a schema to its media type or parameter, because documentation pages show them there. */
import { copyJson, isObject, type Json } from '../json.ts';

/** Removes `example`, `examples` and `x-examples` from a schema, and writes them to its owner, such as a media type. */
export function takeExamples(schema: Json, owner: Json): void {
  if (!giveExamples(schema, owner)) return;
  delete schema.example;
  delete schema.examples;
  delete schema['x-examples'];
}

/** Returns whether there were examples. */
export function giveExamples({ example, examples, 'x-examples': named }: Json, owner: Json): boolean {
  if (isObject(named)) owner.examples = copyJson(named);
  else if (Array.isArray(examples) && examples.length > 1)
    owner.examples = nameExamples(copyJson(examples) as unknown[]);
  else if (Array.isArray(examples) && examples.length === 1) owner.example = copyJson(examples[0]);
  else if (example !== undefined) owner.example = copyJson(example);
  else return false;
  return true;
}

function nameExamples(examples: readonly unknown[]): Json {
  return Object.fromEntries(
    examples.map((value, i) => [typeof value === 'object' ? `example${i + 1}` : String(value), { value }]),
  );
}
