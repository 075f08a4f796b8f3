/** Follows references between JSON Schemas where the schemas are read as data, and not compiled. */
import { resolvePointer } from './json-pointer.ts';

/** The location of a subschema. */
export interface SchemaPlace {
  readonly document: unknown;
  /** With the `$id` of the document in front, if that is a shared schema. */
  readonly pointer: string;
}

/** A schema and where it is. */
export interface ReferenceTarget {
  readonly schema: unknown;
  readonly place: SchemaPlace;
}

/**
 * The target of a reference by name and pointer; other forms are not followed.
 *
 * @param shared Returns the shared schemas by `$id`; called when the schema refers to one.
 */
export function followReference(
  reference: unknown,
  place: SchemaPlace,
  shared: () => Readonly<Record<string, unknown>>,
): ReferenceTarget | undefined {
  if (typeof reference !== 'string') return undefined;
  const [written, pointer = ''] = reference.split('#', 2) as [string, string?];
  const id = written === '' ? place.pointer.split('#', 1)[0]! : written;
  const document = written === '' ? place.document : ownProperty(shared(), id);
  if (pointer !== '' && !pointer.startsWith('/')) return undefined;
  const schema = resolvePointer(document, pointer);
  return schema === undefined ? undefined : { schema, place: { document, pointer: `${id}#${pointer}` } };
}

function ownProperty(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
