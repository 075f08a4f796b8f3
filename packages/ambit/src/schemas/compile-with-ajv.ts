/** Compiles one schema with an instance of Ajv that others are compiled with, too. */
import { isDeepStrictEqual } from 'node:util';
import type { Ajv, AnySchemaObject } from 'ajv';
import type { SharedSchemas, ValidatorFunction } from '../contract/compiler.ts';
import { SchemaAlreadyPresent, SchemaTooLarge } from '../contract/errors.ts';
import { checkReferences } from './validation/reserved-names.ts';

/**
 * Compiles a schema. Ajv refuses a second schema with a known `$id`, so one that equals the known schema gets the validator of that.
 *
 * @throws {SchemaAlreadyPresent} when a different schema has the `$id`.
 * @throws {SchemaReferenceReserved} {SchemaTooLarge}
 */
export function compileWith(
  engine: Ajv,
  schema: AnySchemaObject | boolean,
  shared: SharedSchemas,
): ValidatorFunction {
  try {
    checkReferences(schema, shared);
    const id = typeof schema === 'object' && schema !== null ? schema.$id : undefined;
    const known = typeof id === 'string' ? engine.getSchema(id) : undefined;
    if (known !== undefined && !isDeepStrictEqual(known.schema, schema)) throw new SchemaAlreadyPresent(id!);
    return (known ?? compileKnown(engine, schema, id)) as ValidatorFunction;
  } catch (cause) {
    // The schema is nested too deeply for the stack.
    throw isOverflow(cause) ? SchemaTooLarge.at({ cause }) : cause;
  }
}

/**
 * Compiles a schema that is known to Ajv only meanwhile. With the baseline `addUsedSchema: false` alone, Ajv cannot resolve the references of a
 * schema to itself: `#` in one without an `$id`, and its absolute `$id`.
 */
function compileKnown(ajv: Ajv, schema: AnySchemaObject | boolean, id: unknown): unknown {
  const name = typeof id === 'string' ? id.replace(/#\/?$/, '') : '';
  if (ajv.opts.addUsedSchema !== false || name in ajv.refs || name in ajv.schemas || name.startsWith('#')) {
    return ajv.compile(schema);
  }
  ajv.opts.addUsedSchema = true;
  try {
    return ajv.compile(schema);
  } finally {
    ajv.opts.addUsedSchema = false;
    delete ajv.refs[name];
  }
}

function isOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}
