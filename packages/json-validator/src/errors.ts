/** The errors of schemas that Ajv would accept, and that could not be used. */

const messages = {
  ALREADY_PRESENT: (id: string) => `Schema with id '${id}' already declared!`,
  DIALECT_MISMATCH: (dialect: string, id: string, problem: string) =>
    `a schema of the dialect ${dialect} refers to '${id}', ${problem}`,
  LOOP: (loop: string) => `a schema refers to itself without a value in between: ${loop}`,
  REFERENCE_RESERVED: (reference: string, name: string) =>
    `can't resolve reference ${reference}: there is no schema '${name}', and every object has a property of that name`,
  TOO_LARGE: () =>
    'the schema is too large to compile: it is nested too deeply, one of its lists is too long, or too many schemas refer to one another in a chain or a circle',
} as const;

/** Why a schema is refused. */
export type SchemaRefusalCode = keyof typeof messages;

/** A schema, or what it refers to, is refused. For mistakes that Ajv finds, its own errors are thrown. */
export class SchemaRefused extends Error {
  /** Why. Match on it, never on the message. */
  readonly code: SchemaRefusalCode;
  /** What the message says: the names, in their order. */
  readonly details: readonly string[];
  /** Where in the schemas: a JSON Pointer in a URI fragment, with the `$id` of a shared schema in front; `undefined` if it is not known. */
  schemaPath?: string;

  /**
   * @param code Why.
   * @param details The names for the message.
   * @param cause The error behind it.
   */
  constructor(code: SchemaRefusalCode, details: readonly string[] = [], cause?: unknown) {
    const message = (messages[code] as (...names: readonly string[]) => string)(...details);
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SchemaRefused';
    this.code = code;
    this.details = details;
  }
}
