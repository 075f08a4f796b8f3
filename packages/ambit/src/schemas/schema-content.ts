/** Reads a schema in one pass: its content as text, so that each content is compiled once, and whether it needs a search for mistakes. */

export interface SchemaContent {
  /**
   * The schema as JSON text; `undefined` if JSON cannot express the schema completely, because it contains functions, symbols, class instances or
   * cycles: two different schemas could then have the same text.
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
export function readSchema(schema: unknown): SchemaContent {
  const reading = new Reading();
  try {
    if (!reading.visit(schema)) return unreadSchema;
    reading.text = JSON.stringify(schema);
    return reading;
  } catch {
    // The schema contains a cycle, or is nested too deeply for the stack.
    return unreadSchema;
  }
}

/** Returns the text of a schema, or of other data, as in `SchemaContent`. */
export function contentKey(schema: unknown): string | undefined {
  return readSchema(schema).text;
}

class Reading implements SchemaContent {
  text: string | undefined = undefined;
  mayHaveFile = false;
  mayMissNames = false;

  /** @returns Whether JSON can express the value completely. */
  visit(value: unknown): boolean {
    if (typeof value === 'string') {
      if (value === 'binary') this.mayHaveFile = true;
      return true;
    }
    if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
    if (typeof value !== 'object') return typeof value === 'boolean';
    if (value === null) return true;
    return Array.isArray(value) ? this.#visitItems(value) : this.#visitMembers(value as JsonObject);
  }

  #visitItems(array: readonly unknown[]): boolean {
    for (let i = 0; i < array.length; i++) if (!this.visit(array[i])) return false;
    return true;
  }

  #visitMembers(object: JsonObject): boolean {
    const prototype = Object.getPrototypeOf(object);
    if (prototype !== Object.prototype && prototype !== null) return false;
    if (Object.getOwnPropertySymbols(object).length > 0) return false;
    for (const name in object) {
      const value = object[name];
      if (!this.visit(value)) return false;
      if (name === '$ref') {
        this.mayHaveFile = true;
        this.mayMissNames = true;
      } else if (name === 'allOf' || name === 'anyOf' || name === 'oneOf') this.mayMissNames = true;
      else if (name === 'required' && Array.isArray(value) && !areDeclared(value, object.properties))
        this.mayMissNames = true;
    }
    return true;
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

function areDeclared(names: readonly unknown[], properties: unknown): boolean {
  if (typeof properties !== 'object' || properties === null) return names.length === 0;
  for (const name of names) if (typeof name === 'string' && !Object.hasOwn(properties, name)) return false;
  return true;
}
