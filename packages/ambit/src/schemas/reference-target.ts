/** Follows references between JSON Schemas that are only read, not compiled. */
import { resolvePointer } from './json-pointer.ts';

/** The location of a subschema. */
export interface SchemaLocation {
  readonly document: unknown;
  /** The JSON Pointer, with the `$id` of the document in front if the document is a shared schema. */
  readonly pointer: string;
}

/** A schema and its location. */
export interface ReferenceTarget {
  readonly schema: unknown;
  readonly location: SchemaLocation;
}

/**
 * Returns the target of a reference that consists of a name and a pointer. Other forms are not followed.
 *
 * @param shared Returns the shared schemas by `$id`; called when the schema refers to one.
 */
export function followReference(
  reference: unknown,
  location: SchemaLocation,
  shared: () => Readonly<Record<string, unknown>>,
): ReferenceTarget | undefined {
  if (typeof reference !== 'string') return undefined;
  const [written, pointer = ''] = reference.split('#', 2) as [string, string?];
  const id = written === '' ? location.pointer.split('#', 1)[0]! : written;
  const document = written === '' ? location.document : ownProperty(shared(), id);
  if (pointer !== '' && !pointer.startsWith('/')) return undefined;
  const schema = resolvePointer(document, pointer);
  return schema === undefined ? undefined : { schema, location: { document, pointer: `${id}#${pointer}` } };
}

function ownProperty(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
