/** @ambit/json-validator as a schema engine. */
import { createRequire } from 'node:module';
import { contentKey, defaultDialect, type JsonSchema } from '@ambit/json-schema';
import {
  formatNames,
  type SchemaRefusalCode,
  type SchemaRefused,
  type ValidatorOptions,
  Validators,
  waitingValidator,
} from '@ambit/json-validator';
import type { ErrorClass } from '../shared/define-error.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import { nearestName } from '../shared/nearest-name.ts';
import type { AjvOptions, SharedSchemas, ValidatorFunction, ValidatorRequest } from '../types/compilers.ts';
import {
  SchemaAlreadyPresent,
  SchemaDialectMismatch,
  SchemaLoop,
  SchemaReferenceReserved,
  SchemaTooLarge,
} from '../types/errors.ts';
import { warnFormatUnknown } from '../types/warnings.ts';
import type { Artifact, SectionSettings } from './artifact.ts';
import type { CompiledSchema, SchemaEngine } from './schema-engines.ts';

const require = createRequire(import.meta.url);

const loadFiles = lazyModule<typeof import('./form-schemas.ts')>(() => require('./form-schemas.ts'));

/** The application's options, and those that the framework adds. */
export interface EngineOptions extends AjvOptions {
  /** Set if schemas may have the keyword for files. */
  readonly acceptsFiles?: true;
  /** Set if all values are text without types: branches are tried with conversion first. */
  readonly isText?: true;
  /** Set in development: all problems of a request are reported. */
  readonly reportsAll?: boolean;
  /** Set if Ajv rejects the words of OpenAPI, as in Fastify. */
  readonly rejectsOpenApi?: true;
}

export class AjvEngine implements SchemaEngine<ValidatorRequest, ValidatorFunction> {
  readonly settings: SectionSettings | undefined;
  readonly isShared: boolean = true;
  readonly #validators: Validators;
  readonly #artifact: Artifact | undefined;

  constructor(shared: SharedSchemas, options: EngineOptions, artifact: Artifact | undefined) {
    this.#validators = new Validators(shared, toValidatorOptions(options));
    this.#artifact = artifact;
    const { mode, customOptions, dialect = defaultDialect, acceptsFiles, isText, rejectsOpenApi } = options;
    this.settings = isSerializable(options)
      ? {
          part: 'validators',
          options: { mode, customOptions, dialect, acceptsFiles, isText, rejectsOpenApi },
          shared,
          isPlain: () => this.#validators.sharedAreCertain(),
        }
      : undefined;
  }

  compile(
    { schema, method, url, httpPart }: ValidatorRequest,
    content: string | undefined,
    mayWait: boolean,
  ): CompiledSchema<ValidatorFunction> {
    const place = `the ${httpPart} of ${method} ${url}`;
    const waiting =
      mayWait && content !== undefined ? this.#validators.compileLater(schema, content, place) : undefined;
    return waiting ?? { run: this.#validators.compile(schema as JsonSchema, place), generate: undefined };
  }

  link(stored: unknown, _request: ValidatorRequest, content: string): CompiledSchema<ValidatorFunction> {
    return waitingValidator(() => this.#artifact!.link(stored), content);
  }
}

/** Whether text can express these options completely. Only then can an artifact contain what is compiled with them. */
function isSerializable({ plugins = [], onCreate, customOptions = {} }: AjvOptions): boolean {
  if (plugins.length > 0 || onCreate !== undefined || customOptions.formats !== undefined) return false;
  return contentKey(customOptions) !== undefined;
}

/** What the validators of an application, and those of an artifact, are compiled with. */
export function toValidatorOptions({ acceptsFiles, ...options }: EngineOptions): ValidatorOptions {
  return {
    ...options,
    // A file cannot be copied, to be validated again.
    reportsAll: options.reportsAll === true && !acceptsFiles,
    addKeywords: acceptsFiles && ((ajv) => loadFiles().addFileKeyword(ajv)),
    onUnknownFormat: (format, place) => {
      const nearest = nearestName(format, formatNames);
      warnFormatUnknown(format, place, nearest === undefined ? '' : ` Did you mean "${nearest}"?`);
    },
    makeError,
  };
}

/** The function of the framework's own keyword, by the name under which compiled functions load it. */
export const externals = {
  get 'ambit/validate-file'(): unknown {
    return loadFiles().validateFile;
  },
};

const refusals: Readonly<Record<SchemaRefusalCode, Pick<ErrorClass, 'at'>>> = {
  ALREADY_PRESENT: SchemaAlreadyPresent,
  DIALECT_MISMATCH: SchemaDialectMismatch,
  LOOP: SchemaLoop,
  REFERENCE_RESERVED: SchemaReferenceReserved,
  TOO_LARGE: SchemaTooLarge,
};

/** The error of the catalogue for a schema that is refused. */
function makeError({ code, details, cause, schemaPath }: SchemaRefused): unknown {
  const error = refusals[code].at({ ...(cause !== undefined && { cause }) }, ...details);
  return schemaPath === undefined ? error : Object.assign(error, { schemaPath });
}
