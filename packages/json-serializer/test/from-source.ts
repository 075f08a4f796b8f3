/** Compiles by source text: a build writes the text, and a process loads it. */
import type { JsonSchema } from '@ambit/json-schema';
import { compileToSource } from '../src/compile.ts';
import { load, type Program } from '../src/load.ts';
import type { CompileOptions, Serializer } from '../src/serializer.ts';

export function fromSource(schema: JsonSchema, options: CompileOptions = {}): Serializer {
  return load(evaluate(compileToSource(schema, options)), schema, options);
}

export function evaluate(source: string): Program {
  return new Function(`return ${source}`)() as Program;
}
