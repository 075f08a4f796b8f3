/**
 * Finds references to names that every object has, such as `toString`. Ajv looks schemas up in plain objects: where there is no
 * schema of that name it would take the function that it finds for one, and accept everything.
 */
import type { SharedSchemas } from '../../contract/compiler.ts';
import { SchemaReferenceReserved } from '../../contract/errors.ts';
import { stepsOf } from '../json-pointer.ts';
import { findReference } from '../json-schema.ts';

/** @throws {SchemaReferenceReserved} */
export function checkReferences(schema: unknown, shared: SharedSchemas): void {
  findReference(schema, (reference) => {
    const [id, pointer = ''] = reference.split('#', 2) as [string, string?];
    if (id in Object.prototype) throw new SchemaReferenceReserved(reference, id);
    // Where the document is another one, nested in this or a shared one, its names are not known here.
    const document = id === '' ? schema : Object.hasOwn(shared, id) ? shared[id] : undefined;
    if (document !== undefined) checkPointer(document, pointer, reference);
    return false;
  });
}

function checkPointer(document: unknown, pointer: string, reference: string): void {
  let part: unknown = document;
  for (const name of stepsOf(pointer)) {
    if (typeof part !== 'object' || part === null) return;
    if (!Object.hasOwn(part, name) && name in part) throw new SchemaReferenceReserved(reference, name);
    part = (part as Record<string, unknown>)[name];
  }
}
