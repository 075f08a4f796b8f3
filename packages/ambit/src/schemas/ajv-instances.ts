/** The instances of Ajv for one set of shared schemas. */
import type { Ajv, AnySchemaObject, Options } from 'ajv';
import type { SharedSchemas, ValidatorFunction } from '../contract/compiler.ts';
import type { SchemaDialect } from '../contract/compiler-options.ts';
import { SchemaDialectMismatch } from '../contract/errors.ts';
import type { EngineOptions } from './ajv-config-checks.ts';
import { compileWith } from './compile-with-ajv.ts';
import {
  collectReferencedShared,
  declaredDialect,
  defaultDialect,
  haveDeclaredDialects,
  sharedFor,
} from './dialect.ts';
import { makeAjv } from './make-ajv.ts';

/** One instance for each dialect, created when the first schema of that dialect is compiled. */
export class AjvInstances {
  readonly #shared: SharedSchemas;
  readonly #options: EngineOptions;
  readonly #code: Options['code'];
  readonly #byDialect = new Map<SchemaDialect, Ajv>();
  readonly #hasDeclaredDialects: boolean;

  /** @param code Options of code generation. They override those of the application. */
  constructor(shared: SharedSchemas, options: EngineOptions, code?: Options['code']) {
    this.#shared = shared;
    this.#options = options;
    this.#code = code;
    this.#hasDeclaredDialects = haveDeclaredDialects(shared);
  }

  /** @throws {SchemaAlreadyPresent} {SchemaReferenceReserved} {SchemaDialectMismatch} {SchemaTooLarge} */
  compile(schema: AnySchemaObject | boolean): ValidatorFunction {
    const appDialect = this.#options.dialect ?? defaultDialect;
    const dialect = declaredDialect(schema) ?? appDialect;
    const ajv = this.#ajvOf(dialect);
    if (this.#hasDeclaredDialects || dialect !== appDialect)
      this.#checkReferenced(ajv, schema, dialect, appDialect);
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

  /** A shared schema without `$schema` is read in the dialect of the schema that refers to it, so it must be valid in that dialect. */
  #checkReferenced(ajv: Ajv, schema: unknown, dialect: SchemaDialect, appDialect: SchemaDialect): void {
    for (const id of collectReferencedShared(schema, this.#shared, dialect)) {
      if (dialect === appDialect || ajv.validateSchema(this.#shared[id]!) === true) continue;
      const reason = ajv.errorsText(ajv.errors, { dataVar: 'it' });
      throw new SchemaDialectMismatch(dialect, id, `which is not valid in it: ${reason}`);
    }
  }
}
