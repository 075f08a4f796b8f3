/** Tells in one pass what a schema contains, so that most schemas need no search for mistakes. */

export interface SchemaSummary {
  /** The schema has the word `binary`, or refers to another one. */
  readonly mayHaveFile: boolean;
  /** The schema requires a name that is not in the `properties` next to it, or consists of several schemas for one value. */
  readonly mayMissNames: boolean;
}

/** Larger schemas are searched: they may be circular. */
const maxObjects = 1_000;

const nothing: SchemaSummary = { mayHaveFile: false, mayMissNames: false };

// HOT: for each schema of each route at boot (benchmark `startup`).
/** @returns Both are true if the schema is too large to be looked through here. */
export function summarize(schema: unknown): SchemaSummary {
  if (typeof schema !== 'object' || schema === null) return nothing;
  const pass = new Pass();
  pass.visit(schema);
  return pass;
}

class Pass implements SchemaSummary {
  mayHaveFile = false;
  mayMissNames = false;
  #left: number = maxObjects;

  visit(object: object): void {
    if (--this.#left < 0) {
      this.mayHaveFile = true;
      this.mayMissNames = true;
    } else if (Array.isArray(object)) for (const item of object) this.#visitMember('', item);
    else this.#visitObject(object as Readonly<Record<string, unknown>>);
  }

  #visitObject(object: Readonly<Record<string, unknown>>): void {
    for (const name in object) {
      const value = object[name];
      if (name === 'required' && Array.isArray(value)) {
        if (!areDeclared(value, object.properties)) this.mayMissNames = true;
      } else this.#visitMember(name, value);
    }
  }

  #visitMember(name: string, value: unknown): void {
    if (value === 'binary') this.mayHaveFile = true;
    else if (name === '$ref') {
      this.mayHaveFile = true;
      this.mayMissNames = true;
    } else if (typeof value === 'object' && value !== null) {
      if (name === 'allOf' || name === 'anyOf' || name === 'oneOf') this.mayMissNames = true;
      if (!this.mayHaveFile || !this.mayMissNames) this.visit(value);
    }
  }
}

function areDeclared(names: readonly unknown[], properties: unknown): boolean {
  if (typeof properties !== 'object' || properties === null) return names.length === 0;
  for (const name of names) if (typeof name === 'string' && !Object.hasOwn(properties, name)) return false;
  return true;
}
