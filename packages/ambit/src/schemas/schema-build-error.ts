/** What a schema that does not compile throws while its route is compiled. */

/** Thrown if the schema of a part does not compile, and caught by the code that compiles the route. */
export class PartFailure {
  /** `body`, `querystring`, `response 200 (text/csv)`. */
  readonly part: string;
  readonly schema: unknown;
  readonly cause: unknown;

  constructor(part: string, schema: unknown, cause: unknown) {
    this.part = part;
    this.schema = schema;
    this.cause = cause;
  }
}

/** @throws {PartFailure} */
export function withPart<T>(part: string, schema: unknown, compile: () => T): T {
  try {
    return compile();
  } catch (cause) {
    throw new PartFailure(part, schema, cause);
  }
}
