/**
 * Rejects references to names that every JavaScript object has, such as `toString`. Ajv looks schemas up in plain objects: if there is no
 * schema with that name, it would use the inherited function as a schema, and accept everything.
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
    // Other documents are not checked: they may be nested in this one or in a shared one, and are not known here.
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
