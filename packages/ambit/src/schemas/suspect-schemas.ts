/** Collects the schemas of one route that must be searched for mistakes. Most routes have none. */
import { readSchema, type SchemaContent, unreadSchema } from './schema-content.ts';

export class SuspectSchemas {
  readonly #contents = new Map<unknown, SchemaContent>();

  get isEmpty(): boolean {
    return this.#contents.size === 0;
  }

  /**
   * Reads a schema that is about to be compiled.
   *
   * @param declared The schema of the route, if `schema` is a copy of it.
   */
  read(schema: unknown, declared: unknown = schema): SchemaContent {
    const content = readSchema(schema);
    if (content.mayHaveFile || content.mayMissNames) this.#contents.set(declared, content);
    return content;
  }

  /** Adds a schema for a compiler of the application. Such a schema is compiled without being read first. */
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
