/** Reads a schema in one pass: its content as text, so that each content is compiled once, and whether it needs a search for mistakes. */

/** What one pass over a schema finds. */
export interface SchemaContent {
  /**
   * The schema as JSON text; `undefined` if JSON cannot express the schema completely, because it contains functions, symbols, class
   * instances or cycles: two different schemas could then have the same text.
   */
  readonly text: string | undefined;
  /** Whether the schema contains the string `binary`, or refers to another schema. */
  readonly mayHaveFile: boolean;
  /** Whether the schema requires a name that is not in the `properties` beside it, or combines several schemas. */
  readonly mayMissNames: boolean;
}

/** The content of a schema that was not read, or that JSON cannot express: it may have any mistake. */
export const unreadSchema: SchemaContent = { text: undefined, mayHaveFile: true, mayMissNames: true };

// HOT: for each schema of each route at boot (benchmark `startup`).
/** Reads a schema in one pass. @param schema The schema. */
export function readSchema(schema: unknown): SchemaContent {
  const content: Reading = { text: undefined, mayHaveFile: false, mayMissNames: false };
  try {
    if (!visit(schema, content)) return unreadSchema;
    content.text = JSON.stringify(schema);
    return content;
  } catch {
    // The schema contains a cycle, or is nested too deeply for the stack.
    return unreadSchema;
  }
}

/** Returns the text of a schema, or of other data, as in `SchemaContent`. @param schema The schema, or other data. */
export function contentKey(schema: unknown): string | undefined {
  return readSchema(schema).text;
}

type Reading = { -readonly [Name in keyof SchemaContent]: SchemaContent[Name] };

// HOT: for each value in each schema at boot. One function that calls itself: V8 would inline several that call one another, which is slow.
/** @returns Whether JSON can express the value completely. */
function visit(value: unknown, content: Reading): boolean {
  if (typeof value === 'string') {
    if (value === 'binary') content.mayHaveFile = true;
    return true;
  }
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object') return typeof value === 'boolean';
  if (value === null) return true;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!visit(value[i], content)) return false;
    return true;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  if (Object.getOwnPropertySymbols(value).length > 0) return false;
  const object = value as Record<string, unknown>;
  for (const name in object) {
    const member = object[name];
    if (!visit(member, content)) return false;
    if (name === '$ref') {
      content.mayHaveFile = true;
      content.mayMissNames = true;
    } else if (name === 'allOf' || name === 'anyOf' || name === 'oneOf') content.mayMissNames = true;
    else if (name === 'required' && Array.isArray(member) && !areDeclared(member, object.properties))
      content.mayMissNames = true;
  }
  return true;
}

function areDeclared(names: readonly unknown[], properties: unknown): boolean {
  if (typeof properties !== 'object' || properties === null) return names.length === 0;
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (typeof name === 'string' && !Object.hasOwn(properties, name)) return false;
  }
  return true;
}
