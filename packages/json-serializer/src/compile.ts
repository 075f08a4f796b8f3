/** Owns `compile`: a schema in, a function from values to JSON text out. */
import { Emitter, type Writer } from './emit/emitter.ts';
import { strategy } from './engine.ts';
import { SerializationError } from './errors.ts';
import type { JsonSchema } from './json-schema.ts';
import { explain } from './report/explain.ts';
import { type Finding, inspect } from './report/inspect.ts';
import type { Rounding } from './runtime/numbers.ts';
import { ShapeReader } from './shape/read-shape.ts';
import type { Shape } from './shape/shape.ts';

export interface CompileOptions {
  /** Schemas that `$ref` may name, each under its key and under its `$id`. */
  readonly refs?: Readonly<Record<string, JsonSchema>>;
  /** How a fraction becomes an integer under `type: integer`; default `trunc`. */
  readonly rounding?: Rounding;
  /**
   * When code is generated: at the first value (default) or within `compile`. Every fault of a schema is found within `compile`
   * either way; waiting saves most of its time for serializers that are never used.
   */
  readonly generate?: 'first-use' | 'now';
  /** Given what generates the code, for those who want it done at a time of their own, between `compile` and the first value. */
  readonly schedule?: (generate: () => void) => void;
  /**
   * Called for each thing that serializing changes: a property dropped, a value coerced or missing. Every value is then
   * walked twice, so this is for development. Getters and `toJSON` run twice.
   */
  readonly report?: (finding: Finding) => void;
}

/**
 * Writes a value as JSON text, as its schema says.
 *
 * @throws {SerializationError} when the value cannot be written; its `path` says where.
 */
export type Serializer = (value: unknown) => string;

const roundings: readonly unknown[] = ['ceil', 'floor', 'round', 'trunc'];

/**
 * Compiles a JSON Schema (draft 7, with OpenAPI's `nullable`) into a serializer that writes exactly what the schema declares.
 * Schemas are code: never compile one that a user supplied.
 *
 * @throws {SchemaError} when the schema cannot be compiled; its `schemaPath` says where.
 */
export function compile(schema: JsonSchema, options: CompileOptions = {}): Serializer {
  const { refs = {}, rounding = 'trunc', report } = options;
  if (!roundings.includes(rounding)) {
    throw new TypeError(`rounding must be one of ${roundings.join(', ')}; got ${JSON.stringify(rounding)}`);
  }
  const reader = new ShapeReader(refs);
  const shape = reader.readRoot(schema);
  reader.validators.complete();

  let write: Writer | undefined;
  function generate(): Writer {
    const emitter = new Emitter(strategy);
    write = emitter.link(emitter.writer(shape), rounding);
    return write;
  }
  if (options.generate === 'now') generate();
  else options.schedule?.(() => void (write ?? generate()));

  function serialize(value: unknown): string {
    try {
      // One call site that only ever sees one function: the engine can inline it.
      return (write ?? generate())(value);
    } catch (error) {
      if (value === undefined) throw new SerializationError('undefined cannot be written as JSON', '', error);
      throw explain(shape, value, rounding, error);
    }
  }
  if (report === undefined) return serialize;
  return (value) => {
    const text = serialize(value);
    for (const finding of findChanges(shape, value, rounding)) report(finding);
    return text;
  };
}

function findChanges(shape: Shape, value: unknown, rounding: Rounding): Finding[] {
  const findings: Finding[] = [];
  try {
    inspect(shape, value, rounding, (finding) => findings.push(finding));
  } catch {
    // It was written before, and answers differently the second time, or takes more stack to walk: no reason to fail now.
  }
  return findings;
}
