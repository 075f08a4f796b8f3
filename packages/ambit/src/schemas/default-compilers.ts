/**
 * The compilers of an application that sets none itself. For both engines, they decide what is compiled (equal schemas once) and what is
 * taken from the artifact of a build; the engine of validators is here, too. Loaded with the first schema.
 */
import { createRequire } from 'node:module';
import {
  contentKey,
  defaultDialect,
  findReference,
  followReference,
  isNamedSchemas,
  isStandardSchema,
  keywords,
  mapSchema,
  readSchema,
  type SchemaLocation,
  type StandardSchema,
} from '@ambit/json-schema';
import {
  formatNames,
  type SchemaRefusalCode,
  type SchemaRefused,
  type ValidatorOptions,
  Validators,
  waitingValidator,
} from '@ambit/json-validator';
import type { ErrorClass } from '../shared/define-error.ts';
import { mayGenerateCode } from '../shared/js-runtime.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import { nearestName } from '../shared/nearest-name.ts';
import { isObject, isPlainObject } from '../shared/values.ts';
import type {
  AjvOptions,
  JsonSchema,
  SerializerFunction,
  SerializerOptions,
  SerializerRequest,
  SharedSchemas,
  ValidatorFunction,
  ValidatorRequest,
} from '../types/compilers.ts';
import {
  CodeGenerationForbidden,
  CompiledStale,
  SchemaAlreadyPresent,
  SchemaDialectMismatch,
  SchemaLoop,
  SchemaReferenceReserved,
  SchemaTooLarge,
} from '../types/errors.ts';
import { warnFormatUnknown } from '../types/warnings.ts';
import type { Artifact, ArtifactSection, SectionSettings } from './artifact.ts';
import type { CompiledSchema, ContentCompiler, SchemaEngine, SchemaEngines } from './schema-engines.ts';
import { type ChangeListener, SerializerEngine } from './serializer-engine.ts';
import { serializerOf, validatorOf } from './standard-schemas.ts';

const require = createRequire(import.meta.url);

const loadFiles = lazyModule<typeof import('./form-schemas.ts')>(() => require('./form-schemas.ts'));

type ApplicationParts = Pick<SchemaEngines, 'artifact' | 'queue' | 'sections'>;
type BuiltValidator = ContentCompiler<ValidatorRequest, ValidatorFunction>;

/**
 * Forms have an engine of their own, with the same shared schemas, in which strings of the format `binary` are files. Other text has one
 * for schemas in which branches are tried: values of JSON bodies have types, so these branches are tried without conversion first. So
 * have headers that refer to shared schemas: there, all names are in lower case.
 */
export function buildValidator(
  app: ApplicationParts,
  shared: SharedSchemas,
  options: EngineOptions,
): BuiltValidator {
  const engine = (ofPart: Partial<EngineOptions>, map?: (schema: unknown) => unknown): BuiltValidator => {
    const mapped = map === undefined ? shared : mapShared(shared, map);
    return compilerOf(app, new AjvEngine(mapped, { ...options, ...ofPart }, app.artifact), validatorOf);
  };
  const compile = engine({});
  let compileForm: BuiltValidator | undefined;
  let compileText: BuiltValidator | undefined;
  let compileFields: BuiltValidator | undefined;
  let trying: Validators | undefined;
  const compileAny: BuiltValidator = (request, content) => {
    if (!isText(request)) return compile(request, content);
    trying ??= new Validators(shared);
    if (!trying.triesBranches(request.schema)) return compile(request, content);
    compileText ??= engine({ isText: true });
    return compileText(request, content);
  };
  return (request, content) => {
    const { schema, hasFiles, hasFieldNames } = request;
    if (isStandardSchema(schema)) return compile(request, content);
    if (hasFiles === true) {
      const { acceptFiles } = loadFiles();
      compileForm ??= engine({ acceptsFiles: true, isText: true }, acceptFiles);
      return compileForm({ ...request, schema: acceptFiles(schema) });
    }
    if (hasFieldNames !== true || !isPlainObject(schema)) return compileAny(request, content);
    const lowerNames = (each: unknown): unknown => lowerCaseHeaderNames(each, shared);
    const lowered = { ...request, schema: lowerNames(schema) };
    // A schema with an `$id` may be a shared one.
    if (schema.$id === undefined && !refersToOthers(schema)) return compileAny(lowered);
    compileFields ??= engine({ isText: true }, lowerNames);
    return compileFields(lowered);
  };
}

/** Whether a part of a request consists of text. Bodies of other types than JSON may have types, too, except forms. */
function isText({ httpPart, contentType = '' }: ValidatorRequest): boolean {
  if (httpPart !== 'body') return httpPart !== undefined && httpPart !== null;
  return contentType.startsWith('multipart/') || contentType === 'application/x-www-form-urlencoded';
}

function mapShared(shared: SharedSchemas, map: (schema: unknown) => unknown): SharedSchemas {
  return Object.fromEntries(Object.entries(shared).map(([id, schema]) => [id, map(schema) as JsonSchema]));
}

/** Whether a schema refers to another document. */
function refersToOthers(schema: unknown): boolean {
  return findReference(schema, (reference) => !reference.startsWith('#')) !== undefined;
}

export function buildSerializer(
  app: ApplicationParts,
  shared: SharedSchemas,
  options: SerializerOptions | undefined,
  dialect: AjvOptions['dialect'],
  listeners: readonly ChangeListener[],
): ContentCompiler<SerializerRequest, SerializerFunction> {
  return compilerOf(app, new SerializerEngine(shared, options, dialect, listeners), serializerOf);
}

/**
 * Wraps an engine in a compiler, with the same interface as the compilers that applications set.
 *
 * @param adapt Makes the function of a schema of another library, for which no code is generated.
 */
function compilerOf<Request extends ValidatorRequest | SerializerRequest, Compiled>(
  { artifact, queue, sections }: ApplicationParts,
  engine: SchemaEngine<Request, Compiled>,
  adapt: (schema: StandardSchema) => Compiled,
): ContentCompiler<Request, Compiled> {
  const section: ArtifactSection | undefined = engine.settings && {
    settings: engine.settings,
    contents: new Set(),
  };
  if (section !== undefined) sections.push(section);
  const findCompiled = (request: Request, content: string | undefined): unknown => {
    if (section === undefined || content === undefined) return undefined;
    section.contents.add(content);
    const makeMissingError = () => new CompiledStale(`${describePart(request)} is missing`);
    return artifact?.find(section, content, makeMissingError);
  };
  const compileOrLink = (request: Request, content: string | undefined): Compiled => {
    const stored = findCompiled(request, content);
    if (stored === undefined && !mayGenerateCode()) throw new CodeGenerationForbidden(describePart(request));
    const { run, generate } =
      stored === undefined
        ? engine.compile(request, content, !queue.isEager)
        : engine.link(stored, request, content!);
    if (generate !== undefined) queue.add(generate);
    return run;
  };
  const byContent = new Map<string, Compiled>();
  return (request, content) => {
    if (isStandardSchema(request.schema)) return adapt(request.schema);
    const { text } = content ?? readSchema(request.schema);
    if (text === undefined || !engine.isShared) return compileOrLink(request, text);
    let compiled = byContent.get(text);
    if (compiled === undefined) {
      compiled = compileOrLink(request, text);
      byContent.set(text, compiled);
    }
    return compiled;
  };
}

/** Names a part in messages: `the body of POST /notes`, `the response 200 of GET /notes (text/csv)`. */
function describePart(request: ValidatorRequest | SerializerRequest): string {
  const { method, url, contentType } = request;
  const part =
    'httpPart' in request ? request.httpPart : `response ${(request as SerializerRequest).httpStatus}`;
  return `the ${part} of ${method} ${url}${contentType === undefined ? '' : ` (${contentType})`}`;
}

/** The application's options about validators, and those that the framework adds. */
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

/** @ambit/json-validator as a schema engine. */
class AjvEngine implements SchemaEngine<ValidatorRequest, ValidatorFunction> {
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

/**
 * Copies a headers schema with every header name in lower case, as node delivers them. Field names are case
 * insensitive (RFC 9110, 5.1).
 *
 * @param shared The shared schemas. Those that the schema refers to must be copied in the same way, because references get new names, too.
 */
export function lowerCaseHeaderNames(schema: unknown, shared: SharedSchemas = {}): unknown {
  /** Schemas of names that are being copied. They may refer to one another in circles. */
  const open = new Set<unknown>();
  /** @param isName Whether the schema describes a header name. */
  const copy = (part: unknown, location: SchemaLocation, isName = false): unknown => {
    // A list in `dependencies`.
    if (Array.isArray(part)) return lowerList(part);
    if (!isObject(part)) return part;
    const target = isName ? followReference(part.$ref, location, shared) : undefined;
    if (target !== undefined && !open.has(target.schema)) {
      // The target may describe other values elsewhere, so it is copied to here.
      const { $ref, ...others } = part;
      open.add(target.schema);
      const names = copy(target.schema, target.location, true);
      open.delete(target.schema);
      const beside = copy(others, location, true) as object;
      return Object.keys(beside).length === 0 ? names : { allOf: [names, beside] };
    }
    const copied: Record<string, unknown> = mapSchema(part, (inner, keyword) =>
      copy(inner, location, isName || keyword === 'propertyNames'),
    );
    for (const [keyword, lower] of isName ? [...keywordsWithNames, ...keywordsOfNames] : keywordsWithNames)
      if (Object.hasOwn(copied, keyword)) copied[keyword] = lower(copied[keyword]);
    if (isName) delete copied.$id;
    return copied;
  };
  return copy(schema, { document: schema, pointer: '#' });
}

type Lower = (value: unknown) => unknown;

const lowerText: Lower = (value) => (typeof value === 'string' ? value.toLowerCase() : value);

/** Names that differ only in case are one. A name that is repeated in one spelling stays so: the engine reports it. */
const lowerList: Lower = (value) => {
  if (!Array.isArray(value)) return value;
  const lowered = value.map(lowerText);
  return new Set(value).size === value.length ? [...new Set(lowered)] : lowered;
};

/** Names that differ in case only are one header: all that is said of it holds. */
const lowerKeys: Lower = (value) => {
  if (!isObject(value)) return value;
  const lowered = new Map<string, unknown>();
  const asSchema: Lower = (each) => (Array.isArray(each) ? { required: each } : each);
  for (const [name, written] of Object.entries(value)) {
    const key = name.toLowerCase();
    const said = lowerList(written);
    const other = lowered.get(key);
    if (other === undefined) lowered.set(key, said);
    else if (Array.isArray(other) && Array.isArray(said)) lowered.set(key, [...new Set([...other, ...said])]);
    else lowered.set(key, { allOf: [asSchema(other), asSchema(said)] });
  }
  return Object.fromEntries(lowered);
};

/** An escape, the name of a group, or a capital letter. */
const patternTokens = /\\(?:[pP]\{[^}]*\}|k<[^>]*>|.)|\(\?<[A-Za-z_$][^>]*>|[A-Z]/g;

/** A regular expression for names in lower case. */
const lowerPattern: Lower = (pattern) =>
  typeof pattern === 'string'
    ? pattern.replace(patternTokens, (token) => (token.length === 1 ? token.toLowerCase() : token))
    : pattern;

/** Whether the names in a keyword are those of schemas, and no header names. */
const hasDefinitions = (keyword: string): boolean => keywords.get(keyword)?.appliesTo === 'nothing';

/** A reference through `properties` contains a header name. */
const lowerReference: Lower = (reference) => {
  if (typeof reference !== 'string') return reference;
  const [id, pointer] = reference.split('#', 2) as [string, string?];
  if (pointer === undefined || !pointer.startsWith('/')) return reference;
  const steps = pointer.split('/');
  for (let at = 1; at < steps.length; at++) {
    const keyword = steps[at]!;
    if (!isNamedSchemas(keyword)) continue;
    at++;
    if (keyword === 'patternProperties' || hasDefinitions(keyword)) continue;
    if (steps[at] !== undefined) steps[at] = steps[at]!.toLowerCase();
  }
  return `${id}#${steps.join('/')}`;
};

const lowerPatternKeys: Lower = (value) =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([pattern, each]) => [lowerPattern(pattern), each]))
    : value;

/** Keywords with names of headers, and how the names in them are lowered. */
const keywordsWithNames: readonly (readonly [keyword: string, lower: Lower])[] = [
  ['$ref', lowerReference],
  ['required', lowerList],
  ['properties', lowerKeys],
  ['patternProperties', lowerPatternKeys],
  ['dependencies', lowerKeys],
  ['dependentRequired', lowerKeys],
  ['dependentSchemas', lowerKeys],
];

/** The same in schemas of names. */
const keywordsOfNames: typeof keywordsWithNames = [
  ['enum', lowerList],
  ['const', lowerText],
  ['pattern', lowerPattern],
];
