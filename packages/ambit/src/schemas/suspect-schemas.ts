/** Collects the schemas of one route that must be searched for mistakes. Most routes have none. */
import { readSchema, type SchemaContent, unreadSchema } from '@ambit/json-schema';

export class SuspectSchemas {
  /** `undefined` if there is none: every route has an instance of this class. */
  #contents: Map<unknown, SchemaContent> | undefined;

  get isEmpty(): boolean {
    return this.#contents === undefined;
  }

  /** Reads a schema that is about to be compiled. */
  read(schema: unknown): SchemaContent {
    const content = readSchema(schema);
    if (content.mayHaveFile || content.mayMissNames) this.#add(schema, content);
    return content;
  }

  /** Adds a schema for a compiler of the application. Such a schema is compiled without being read first. */
  addUnread(schema: unknown): void {
    this.#add(schema, unreadSchema);
  }

  #add(schema: unknown, content: SchemaContent): void {
    this.#contents ??= new Map();
    this.#contents.set(schema, content);
  }

  mayHaveFile(schema: unknown): boolean {
    return this.#contents?.get(schema)?.mayHaveFile === true;
  }

  mayMissNames(schema: unknown): boolean {
    return this.#contents?.get(schema)?.mayMissNames === true;
  }
}
