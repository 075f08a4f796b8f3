/** Owns the instances of Ajv over one set of shared schemas. */
import type { Ajv, AnySchemaObject, Options } from 'ajv';
import type { SharedSchemas, ValidatorFunction } from '../contract/compiler.ts';
import type { SchemaDialect } from '../contract/compiler-options.ts';
import { SchemaDialectMismatch } from '../contract/errors.ts';
import type { EngineOptions } from './ajv-options.ts';
import { compileWith } from './compile-with-ajv.ts';
import { areMarked, defaultDialect, markedDialect, reachShared, sharedFor } from './dialect.ts';
import { makeAjv } from './make-ajv.ts';

/** One instance for each dialect, made when a schema of that dialect is compiled. */
export class AjvInstances {
  readonly #shared: SharedSchemas;
  readonly #options: EngineOptions;
  readonly #code: Options['code'];
  readonly #byDialect = new Map<SchemaDialect, Ajv>();
  readonly #isMarked: boolean;

  /** @param code Options of code generation, over those of the application. */
  constructor(shared: SharedSchemas, options: EngineOptions, code?: Options['code']) {
    this.#shared = shared;
    this.#options = options;
    this.#code = code;
    this.#isMarked = areMarked(shared);
  }

  /** @throws {SchemaAlreadyPresent} {SchemaReferenceReserved} {SchemaDialectMismatch} {SchemaTooLarge} */
  compile(schema: AnySchemaObject | boolean): ValidatorFunction {
    const own = this.#options.dialect ?? defaultDialect;
    const dialect = markedDialect(schema) ?? own;
    const ajv = this.#ajvOf(dialect);
    if (this.#isMarked || dialect !== own) this.#checkReached(ajv, schema, dialect, own);
    return compileWith(ajv, schema, this.#shared);
  }

  #ajvOf(dialect: SchemaDialect): Ajv {
    let ajv = this.#byDialect.get(dialect);
    if (ajv === undefined) {
      ajv = makeAjv(sharedFor(dialect, this.#shared), this.#options, dialect, this.#code);
      this.#byDialect.set(dialect, ajv);
    }
    return ajv;
  }

  /** Unmarked schemas are read in the dialect of the schema that refers to them, so they must be valid in it. */
  #checkReached(ajv: Ajv, schema: unknown, dialect: SchemaDialect, own: SchemaDialect): void {
    for (const id of reachShared(schema, this.#shared, dialect)) {
      if (dialect === own || ajv.validateSchema(this.#shared[id]!) === true) continue;
      const reason = ajv.errorsText(ajv.errors, { dataVar: 'it' });
      throw new SchemaDialectMismatch(dialect, id, `which is not valid in it: ${reason}`);
    }
  }
}
