/** The options that determine how schemas are compiled. */
import type { SerializerFunction, SerializerRequest, ValidatorCompiler } from './compiler.ts';

/** Options of the default validator engine, Ajv 8 (specification 5.6). */
export interface AjvOptions {
  /** Merged over the baseline of specification 5.6. */
  customOptions?: Record<string, unknown>;
  /** Ajv plugins, each alone or with its options; or modules whose default export is one. */
  plugins?: (
    | AjvPlugin
    | { default: AjvPlugin }
    | readonly [AjvPlugin | { default: AjvPlugin }, ...unknown[]]
  )[];
  /** Called with each new engine. */
  onCreate?: (ajv: unknown) => void;
  /** `'JTD'` for JSON Type Definition schemas (RFC 8927). */
  mode?: 'JTD';
  /** The dialect of schemas that have no `$schema`, for validation and serialization; default `'draft-07'`. */
  dialect?: SchemaDialect;
}

/** A dialect of JSON Schema. */
export type SchemaDialect = 'draft-07' | '2020-12';

// Plugins are typed against Ajv's own class, which is not part of our interface. So the type accepts any function.
/** A plugin of Ajv: it adds keywords or formats to an instance of Ajv. */
export type AjvPlugin = (ajv: never, options?: never) => unknown;

/** Options of the serializer engine. The default engine ignores names that it does not know, because they may be for another one. */
export interface SerializerOptions {
  /** How a fraction becomes an integer under `type: integer`. Default `trunc`. */
  rounding?: 'ceil' | 'floor' | 'round' | 'trunc';
  [name: string]: unknown;
}

/** A store of shared schemas that replaces the default registry. */
export interface SchemaBucket {
  /**
   * Adds a schema.
   *
   * @param schema The schema, with its `$id`.
   */
  add(schema: unknown): unknown;
  /**
   * Reads a schema.
   *
   * @param id Its `$id`.
   */
  getSchema(id: string): unknown;
  /** Reads all schemas, by their `$id`. */
  getSchemas(): Record<string, unknown>;
}

/** Replaces the store of shared schemas, and how compilers are created from them. */
export interface SchemaControllerOptions {
  /** Creates the store of a context's shared schemas, from those of the parent. */
  bucket?: (parentSchemas?: Record<string, unknown>) => SchemaBucket;
  /** Create compilers from the shared schemas and the options. */
  compilersFactory?: {
    buildValidator?: (shared: Record<string, unknown>, options: AjvOptions) => ValidatorCompiler;
    buildSerializer?: (
      shared: Record<string, unknown>,
      options: SerializerOptions | undefined,
    ) => (request: SerializerRequest & { httpStatus: string }) => SerializerFunction;
  };
}

/** `boot`: before the application is ready. `first-use`: with the first value. `background`: once it listens, unless used before. */
export type CompileTime = 'boot' | 'first-use' | 'background';
