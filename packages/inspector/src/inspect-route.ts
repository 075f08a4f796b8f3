/** `inspectRoute` returns the schemas of one route, as declared, as compiled, and as code. */
import { isSchemaObject, mapSchema } from '@ambit/json-schema';
import {
  type CompiledSchemaInfo,
  type Context,
  type DeclaredRoute,
  describeSchemas,
  listCompiledSchemas,
  type SerializationChange,
} from 'ambit';
import { inlineReferences } from './inline-references.ts';
import { type Inspectable, inspectBooted } from './inspect.ts';
import type { ChangeModel, RouteInspection, SchemaModel } from './model.ts';
import { copyAsJson } from './safe-value.ts';

/** The maximum length of the code of one schema, in characters. */
const maxCode = 200_000;

/**
 * Boots an application, and describes the schemas of one of its routes. Code that the first request would generate is generated now.
 *
 * @param app The same context as for `inspect`.
 * @param id The id of the route in the model.
 * @returns The schemas, as plain data.
 * @throws {RangeError} for an id that the model does not have.
 */
export async function inspectRoute(app: Inspectable, id: number): Promise<RouteInspection> {
  await app.ready();
  const route = inspectBooted(app as Context).routes[id];
  if (route === undefined) throw new RangeError(`inspectRoute: there is no route ${id}`);
  return describeRoute(route, id, []);
}

export function describeRoute(
  route: DeclaredRoute,
  id: number,
  changes: readonly SerializationChange[],
): RouteInspection {
  const shared = copyAsJson(route.context.getSchemas()) as RouteInspection['shared'];
  return {
    id,
    schemas: listCompiledSchemas(route).map((info) => describeSchema(info, route, shared)),
    changes: changes.map(describeChange),
    shared,
  };
}

function describeSchema(
  info: CompiledSchemaInfo,
  { dialect }: DeclaredRoute,
  shared: RouteInspection['shared'],
): SchemaModel {
  const { part, status, contentType, declared, resolved, code } = info;
  return {
    part,
    status: status ?? null,
    contentType: contentType ?? null,
    declared: copyAsJson(declared),
    resolved: inlineReferences(
      describeFiles(copyAsJson(asJsonSchema(part, resolved))),
      shared,
      dialect !== 'draft-07',
    ),
    code: code === undefined ? null : code.slice(0, maxCode),
  };
}

/** Converts a Standard Schema to JSON Schema, and returns any other schema unchanged. */
function asJsonSchema(part: SchemaModel['part'], schema: unknown): unknown {
  if (part === 'response') return (describeSchemas({ response: { 200: schema } }).response as never)[200];
  return describeSchemas({ [part]: schema })[part];
}

/** Writes files as routes declare them. The validator has a keyword of its own for them. */
function describeFiles(schema: unknown): unknown {
  if (!isSchemaObject(schema)) return schema;
  const { uploadedFile, ...keywords } = mapSchema(schema, (inner) => describeFiles(inner));
  return isSchemaObject(uploadedFile)
    ? { type: 'string', format: 'binary', ...uploadedFile, ...keywords }
    : keywords;
}

function describeChange({ status, kind, path, message }: SerializationChange): ChangeModel {
  return { status: status ?? null, kind, path, message };
}
