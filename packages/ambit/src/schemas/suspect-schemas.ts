/** Owns which schemas of one route need a search for mistakes. Most routes have none, so that nothing is searched. */
import { readSchema, type SchemaContent, unreadSchema } from './schema-content.ts';

export class SuspectSchemas {
  readonly #contents = new Map<unknown, SchemaContent>();

  get isEmpty(): boolean {
    return this.#contents.size === 0;
  }

  /**
   * Reads a schema that is about to be compiled.
   *
   * @param declared The schema of the route that it is a copy of.
   */
  read(schema: unknown, declared: unknown = schema): SchemaContent {
    const content = readSchema(schema);
    if (content.mayHaveFile || content.mayMissNames) this.#contents.set(declared, content);
    return content;
  }

  /** Adds a schema that another compiler than the default one compiles: it is not read for that. */
  addUnread(schema: unknown): void {
    this.#contents.set(schema, unreadSchema);
  }

  mayHaveFile(schema: unknown): boolean {
    return this.#contents.get(schema)?.mayHaveFile === true;
  }

  mayMissNames(schema: unknown): boolean {
    return this.#contents.get(schema)?.mayMissNames === true;
  }
}
