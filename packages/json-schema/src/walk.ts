/** Walks schemas: the direct subschemas of one, all schemas of a document, and copies with other subschemas. */
import { type AppliesTo, isNamedSchemas, keywords } from './keywords.ts';
import { joinPointer } from './pointer.ts';
import { isSchemaObject, type SchemaObject } from './schema.ts';

/** A schema directly inside another one. */
export interface Subschema {
  /** Usually an object or a boolean; anything if the schema around it is invalid. */
  readonly schema: unknown;
  /** The keyword that contains it. */
  readonly keyword: string;
  /** The name or the index of the schema in its keyword; `undefined` for a keyword that is one schema. */
  readonly name: string | number | undefined;
  /** To which value it applies; `undefined` in a keyword that no dialect defines. */
  readonly appliesTo: AppliesTo | undefined;
}

/**
 * Yields the schemas directly inside a schema, in the order of its keywords. Keywords that no dialect defines are searched too, because the
 * engine may know them. Data and lists of names are skipped.
 *
 * @param schema The schema.
 */
export function* subschemasOf(schema: SchemaObject): Generator<Subschema> {
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    const known = keywords.get(keyword);
    if (known === undefined ? typeof value !== 'object' : known.contains === undefined) continue;
    const appliesTo = known?.appliesTo;
    if (Array.isArray(value)) {
      for (let name = 0; name < value.length; name++) yield { schema: value[name], keyword, name, appliesTo };
    } else if (isSchemaObject(value) && isNamedSchemas(keyword)) {
      for (const name of Object.keys(value))
        if (!Array.isArray(value[name])) yield { schema: value[name], keyword, name, appliesTo };
    } else yield { schema: value, keyword, name: undefined, appliesTo };
  }
}

/** A schema object in a document, and its JSON Pointer. */
export interface Visited {
  /** The schema. */
  readonly schema: SchemaObject;
  /** Its pointer. */
  readonly pointer: string;
}

/**
 * Yields a schema and all schema objects inside it, each before those inside it. A schema that contains itself is entered once.
 *
 * @param schema The schema.
 * @param pointer Its pointer, which is in front of the others.
 */
export function walk(schema: unknown, pointer = ''): Generator<Visited> {
  return walkInside(schema, pointer, new Set());
}

function* walkInside(schema: unknown, pointer: string, open: Set<unknown>): Generator<Visited> {
  if (!isSchemaObject(schema) || open.has(schema)) return;
  yield { schema, pointer };
  open.add(schema);
  for (const inner of subschemasOf(schema)) yield* walkInside(inner.schema, pointerOf(inner, pointer), open);
  open.delete(schema);
}

/**
 * The pointer of a subschema.
 * @param inner The subschema.
 * @param outer The pointer of the schema around it.
 */
export function pointerOf(inner: Subschema, outer: string): string {
  const { keyword, name } = inner;
  const pointer = joinPointer(outer, keyword);
  return name === undefined ? pointer : joinPointer(pointer, name);
}

/**
 * Copies a schema, and replaces each direct subschema by what `map` returns for it. All other values stay, such as those of `enum` and
 * `default`.
 *
 * @param schema The schema.
 * @param map Gets a subschema, its keyword, and its name or index in it.
 */
export function mapSchema(
  schema: SchemaObject,
  map: (subschema: unknown, keyword: string, name?: string | number) => unknown,
): SchemaObject {
  const mapped: Record<string, unknown> = { ...schema };
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    const { contains } = keywords.get(keyword) ?? {};
    if (contains === undefined) continue;
    if (Array.isArray(value)) mapped[keyword] = value.map((each, index) => map(each, keyword, index));
    else if (isNamedSchemas(keyword)) {
      if (isSchemaObject(value))
        mapped[keyword] = Object.fromEntries(
          Object.entries(value).map(([name, each]) => [name, map(each, keyword, name)]),
        );
    } else if (contains !== 'list') mapped[keyword] = map(value, keyword);
  }
  return mapped;
}
