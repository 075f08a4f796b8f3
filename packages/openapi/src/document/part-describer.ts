/** Describes the schemas of one document. Errors name the route and the part whose schema cannot be described. */
import { contentKey, type DialectName, defaultDialect } from '@ambit/json-schema';
import type { Context, DeclaredRoute } from 'ambit';
import { isObject, type Json } from '../json.ts';
import { OpenAPIError } from '../openapi-error.ts';
import { SchemaDescriber } from '../schema/describe-schema.ts';
import { type DescribeSchema, type PlainSchema, plainSchema, type Side } from '../schema/plain-schema.ts';
import {
  type DescribedSchema,
  type SchemaLocation,
  SchemaProblem,
  type SchemaRoot,
  SchemaScope,
} from '../schema/schema-location.ts';

/** A schema of a route: the route, and the part. */
export interface Part {
  readonly route: DeclaredRoute;
  /** The name in error messages: `body`, `response 200`. */
  readonly name: string;
  readonly side: Side;
  /** A name for the schema if it becomes a component and has no name. */
  readonly hint: string;
}

interface PartOptions {
  readonly describe: DescribeSchema | undefined;
  /** The dialect of schemas without `$schema`. */
  readonly dialect: DialectName | undefined;
  /** Whether to record the fields that contain schemas, because the schemas are converted again at the end. */
  readonly recordsFields: boolean;
}

export class PartDescriber {
  readonly schemas: SchemaDescriber;
  /** The fields that contain schemas, for a conversion of all schemas at the end. */
  readonly schemaFields: { readonly holder: Json; readonly field: string }[] = [];
  readonly #recordsFields: boolean;
  readonly #describe: DescribeSchema | undefined;
  readonly #dialect: DialectName;
  readonly #scopes = new Map<Context, Scope>();
  readonly #scopesByContent = new Map<string, Scope>();
  readonly #sharedNumbers = new Map<unknown, number>();
  readonly #plain: { readonly [side in Side]: Map<unknown, PlainSchema> } = {
    input: new Map(),
    output: new Map(),
  };

  /** @param own The application's own components by name. */
  constructor(
    own: Readonly<Record<string, unknown>>,
    { describe, dialect = defaultDialect, recordsFields }: PartOptions,
  ) {
    this.#recordsFields = recordsFields;
    this.schemas = new SchemaDescriber(own);
    this.#describe = describe;
    this.#dialect = dialect;
  }

  /** Describes a schema and puts it into a field. @throws {OpenAPIError} */
  describeInto(holder: Json, field: string, schema: unknown, part: Part): DescribedSchema {
    try {
      const described = this.schemas.describeRoot(this.#rootOf(schema, part), part.hint);
      this.setSchema(holder, field, described);
      return described;
    } catch (error) {
      throw this.addLocation(error, part);
    }
  }

  setSchema(holder: Json, field: string, described: DescribedSchema): void {
    holder[field] = described;
    if (this.#recordsFields) this.schemaFields.push({ holder, field });
  }

  /** Converts a schema to JSON Schema, and finds the root for its references. */
  locateSchema(schema: unknown, part: Part): SchemaLocation {
    return { ...this.#rootOf(schema, part), hint: part.hint };
  }

  #rootOf(schema: unknown, part: Part): SchemaRoot {
    const { schema: document, dialect, side } = this.#plainOf(schema, part.side);
    return this.#scopeOf(part.route.context).schemas.root(document, dialect, side);
  }

  /** Returns the error with the route and the part whose schema is wrong. */
  addLocation(error: unknown, { route, name }: Pick<Part, 'route' | 'name'>): unknown {
    if (error instanceof OpenAPIError || !(error instanceof Error)) return error;
    const at = error instanceof SchemaProblem && error.path !== '' ? ` at ${error.path}` : '';
    const { where } = route;
    return new OpenAPIError(
      'AMBIT_ERR_OPENAPI_SCHEMA',
      `${where.route}: the schema of ${name} cannot be described${at}: ${messageOf(error)}`,
      { where, cause: error },
    );
  }

  /**
   * Describes equal declarations of contexts that see the same shared schemas once.
   *
   * @param parts The kind of the declaration, and everything that the description depends on.
   */
  once<Value>(context: Context, parts: readonly unknown[], describe: () => Value): Value {
    return this.#scopeOf(context).memo.get(parts, describe);
  }

  #plainOf(schema: unknown, side: Side): PlainSchema {
    const known = this.#plain[side];
    let plain = known.get(schema);
    if (plain === undefined) {
      plain = plainSchema(schema, side, this.#describe, this.#dialect);
      // A library creates a new JSON Schema at each call, so the result is kept.
      if (plain.schema !== schema && (isObject(schema) || typeof schema === 'function'))
        known.set(schema, plain);
    }
    return plain;
  }

  /** Contexts that see the same schemas share a scope. */
  #scopeOf(context: Context): Scope {
    let scope = this.#scopes.get(context);
    if (scope !== undefined) return scope;
    const shared = context.getSchemas() as Json;
    const key = Object.entries(shared)
      .map(([id, schema]) => `${id} ${this.#numberOf(schema)}`)
      .sort()
      .join('\n');
    scope = this.#scopesByContent.get(key) ?? {
      schemas: new SchemaScope(shared, this.#dialect),
      memo: new Memo(),
    };
    this.#scopesByContent.set(key, scope);
    this.#scopes.set(context, scope);
    return scope;
  }

  #numberOf(schema: unknown): number {
    const number = this.#sharedNumbers.get(schema) ?? this.#sharedNumbers.size;
    this.#sharedNumbers.set(schema, number);
    return number;
  }
}

function messageOf(error: Error): string {
  return error instanceof RangeError
    ? 'it is nested too deeply, or an object contains itself; use `$ref` for a recursive schema'
    : error.message;
}

/** The shared schemas that contexts see, and what is described with them. */
interface Scope {
  readonly schemas: SchemaScope;
  readonly memo: Memo;
}

/** Values by the JSON that they are created from. Equal JSON is the same key, even from different objects. */
class Memo {
  readonly #values = new Map<string, unknown>();
  /** A number for each text. Keys of numbers are short. */
  readonly #numbers = new Map<string, number>();
  readonly #byPart = new Map<unknown, number | undefined>();

  /**
   * @param parts What the value is created from. If one is not JSON, such as the schema of a library, it is created each time.
   * @param create Creates the value. Everything else that it reads must be the same for each call.
   */
  get<Value>(parts: readonly unknown[], create: () => Value): Value {
    let key = '';
    for (const part of parts) {
      const number = this.#numberOf(part);
      if (number === undefined) return create();
      key += `${number} `;
    }
    if (!this.#values.has(key)) this.#values.set(key, create());
    return this.#values.get(key) as Value;
  }

  /** `undefined` for a part that is not JSON. */
  #numberOf(part: unknown): number | undefined {
    if (this.#byPart.has(part)) return this.#byPart.get(part);
    const text = part === undefined ? '' : contentKey(part);
    let number = text === undefined ? undefined : this.#numbers.get(text);
    if (text !== undefined && number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(text, number);
    }
    this.#byPart.set(part, number);
    return number;
  }
}
