/** Compiles one schema with an instance of Ajv that compiles other schemas, too. */
import { isDeepStrictEqual } from 'node:util';
import type { Ajv, AnySchemaObject } from 'ajv';
import type { SharedSchemas, ValidatorFunction } from '../types/compilers.ts';
import { SchemaAlreadyPresent, SchemaTooLarge } from '../types/errors.ts';
import { checkLoops, checkReferences } from './validation/check-references.ts';
import { readOpenApi } from './validation/openapi-keywords.ts';

/**
 * Compiles a schema. Ajv rejects a second schema with the same `$id`, so a schema that equals the first one gets the validator of that.
 *
 * @throws {SchemaAlreadyPresent} if a different schema has the same `$id`.
 * @throws {SchemaReferenceReserved} {SchemaTooLarge} {SchemaLoop}
 */
export function compileWith(
  ajv: Ajv,
  declared: AnySchemaObject | boolean,
  shared: SharedSchemas,
  knowsOpenApi = true,
): ValidatorFunction {
  try {
    checkReferences(declared, shared);
    // Where schemas mean what they mean in Fastify, a loop that Ajv can compile fails the request that meets it.
    if (knowsOpenApi) checkLoops(declared, shared, ajv.opts.unevaluated === true);
    const schema = knowsOpenApi ? readOpenApi(declared, ajv) : declared;
    const id = typeof schema === 'object' && schema !== null ? schema.$id : undefined;
    const existing = typeof id === 'string' ? ajv.getSchema(id) : undefined;
    if (existing !== undefined && !isDeepStrictEqual(existing.schema, schema))
      throw new SchemaAlreadyPresent(id!);
    return (existing ?? compileAndForget(ajv, schema, id)) as ValidatorFunction;
  } catch (cause) {
    if (!isOverflow(cause)) throw cause;
    checkLoops(declared, shared, ajv.opts.unevaluated === true);
    // The schema is nested too deeply for the stack.
    throw SchemaTooLarge.at({ cause });
  }
}

/**
 * Compiles a schema that Ajv knows only until it is compiled. With `addUsedSchema: false` (a baseline option), Ajv could not resolve
 * references of a schema to itself: `#` in a schema without an `$id`, and its absolute `$id`.
 */
function compileAndForget(ajv: Ajv, schema: AnySchemaObject | boolean, id: unknown): unknown {
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
