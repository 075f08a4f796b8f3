/**
 * The compilers of an application that sets none itself. For both engines, they decide what is compiled (equal schemas once) and what is
 * taken from the artifact of a build. Loaded with the first schema.
 */
import { createRequire } from 'node:module';
import {
  findReference,
  followReference,
  isNamedSchemas,
  isStandardSchema,
  keywords,
  readSchema,
  type SchemaLocation,
  type StandardSchema,
} from '@ambit/json-schema';
import { mayGenerateCode } from '../shared/js-runtime.ts';
import { lazyModule } from '../shared/lazy-module.ts';
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
import { CodeGenerationForbidden, CompiledStale } from '../types/errors.ts';
import { AjvEngine, type EngineOptions } from './ajv-engine.ts';
import type { Artifact } from './artifact.ts';
import { TriedSchemas } from './conversion.ts';
import type { CompileQueue, ContentCompiler, SchemaEngine } from './schema-engines.ts';
import { type ChangeListener, SerializerEngine } from './serializer-engine.ts';
import { serializerOf, validatorOf } from './standard-schemas.ts';

const require = createRequire(import.meta.url);

const loadFiles = lazyModule<typeof import('./form-schemas.ts')>(() => require('./form-schemas.ts'));

type BuiltValidator = ContentCompiler<ValidatorRequest, ValidatorFunction>;

/** Creates the default compilers of one application. */
export class DefaultCompilers {
  readonly #artifact: Artifact;
  readonly #queue: CompileQueue;

  constructor(artifact: Artifact, queue: CompileQueue) {
    this.#artifact = artifact;
    this.#queue = queue;
  }

  /**
   * Forms have an engine of their own, with the same shared schemas, in which strings of the format `binary` are files. Other text has one
   * for schemas in which branches are tried: values of JSON bodies have types, so these branches are tried without conversion first. So
   * have headers that refer to shared schemas: there, all names are in lower case.
   */
  buildValidator(
    shared: SharedSchemas,
    options: EngineOptions,
  ): ContentCompiler<ValidatorRequest, ValidatorFunction> {
    const engine = (ofPart: Partial<EngineOptions>, mapped: SharedSchemas = shared): BuiltValidator =>
      this.#compilerOf(new AjvEngine(mapped, { ...options, ...ofPart }, this.#artifact), validatorOf);
    const compile = engine({});
    let compileForm: BuiltValidator | undefined;
    let compileText: BuiltValidator | undefined;
    let compileFields: BuiltValidator | undefined;
    const tried = new TriedSchemas(shared);
    const compileAny: BuiltValidator = (request, content) => {
      if (!isText(request) || !tried.search(request.schema).tries) return compile(request, content);
      compileText ??= engine({ isText: true });
      return compileText(request, content);
    };
    return (request, content) => {
      const { schema, hasFiles, hasFieldNames } = request;
      if (isStandardSchema(schema)) return compile(request, content);
      if (hasFiles === true) {
        const { acceptFiles } = loadFiles();
        compileForm ??= engine({ acceptsFiles: true, isText: true }, mapShared(shared, acceptFiles));
        return compileForm({ ...request, schema: acceptFiles(schema) });
      }
      if (hasFieldNames !== true || !isPlainObject(schema)) return compileAny(request, content);
      const lowerNames = (each: unknown): unknown => lowerCaseHeaderNames(each, shared);
      const lowered = { ...request, schema: lowerNames(schema) };
      // A schema with an `$id` may be a shared one.
      if (schema.$id === undefined && !refersToOthers(schema)) return compileAny(lowered);
      compileFields ??= engine({ isText: true }, mapShared(shared, lowerNames));
      return compileFields(lowered);
    };
  }

  /**
   * @param listeners Called with what serializers change in values. Serializers that are compiled without listeners do not search for
   *   changes.
   */
  buildSerializer(
    shared: SharedSchemas,
    options: SerializerOptions | undefined,
    dialect: AjvOptions['dialect'],
    listeners: readonly ChangeListener[],
  ): ContentCompiler<SerializerRequest, SerializerFunction> {
    return this.#compilerOf(new SerializerEngine(shared, options, dialect, listeners), serializerOf);
  }

  /**
   * Wraps an engine in a compiler, with the same interface as the compilers that applications set.
   *
   * @param adapt Makes the function of a schema of another library, for which no code is generated.
   */
  #compilerOf<Request extends ValidatorRequest | SerializerRequest, Compiled>(
    engine: SchemaEngine<Request, Compiled>,
    adapt: (schema: StandardSchema) => Compiled,
  ): ContentCompiler<Request, Compiled> {
    const section = engine.settings && this.#artifact.open(engine.settings);
    const compileOrLink = (request: Request, content: string | undefined): Compiled => {
      const makeMissingError = () => new CompiledStale(`${describePart(request)} is missing`);
      const stored = content === undefined ? undefined : section?.find(content, makeMissingError);
      if (stored === undefined && !mayGenerateCode())
        throw new CodeGenerationForbidden(describePart(request));
      const { run, generate } =
        stored === undefined
          ? engine.compile(request, content, !this.#queue.isEager)
          : engine.link(stored, request, content!);
      if (generate !== undefined) this.#queue.add(generate);
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
}

/** Whether a part of a request consists of text. Bodies of other types than JSON may have types, too, except forms. */
function isText({ httpPart, contentType = '' }: ValidatorRequest): boolean {
  if (httpPart !== 'body') return httpPart !== undefined && httpPart !== null;
  return contentType.startsWith('multipart/') || contentType === 'application/x-www-form-urlencoded';
}

function mapShared(shared: SharedSchemas, map: (schema: unknown) => unknown): SharedSchemas {
  return Object.fromEntries(Object.entries(shared).map(([id, schema]) => [id, map(schema) as JsonSchema]));
}

/** Names a part in messages: `the body of POST /notes`, `the response 200 of GET /notes (text/csv)`. */
function describePart(request: ValidatorRequest | SerializerRequest): string {
  const { method, url, contentType } = request;
  const part =
    'httpPart' in request ? request.httpPart : `response ${(request as SerializerRequest).httpStatus}`;
  return `the ${part} of ${method} ${url}${contentType === undefined ? '' : ` (${contentType})`}`;
}

/** Whether a schema refers to another document. */
function refersToOthers(schema: unknown): boolean {
  return findReference(schema, (reference) => !reference.startsWith('#')) !== undefined;
}

/**
 * Copies a headers schema with every header name in lower case, as node delivers them. Field names are case
 * insensitive (RFC 9110, 5.1).
 *
 * @param shared The shared schemas. Those that the schema refers to must be copied in the same way, because references get new names, too.
 */
export function lowerCaseHeaderNames(schema: unknown, shared: SharedSchemas = {}): unknown {
  return new HeaderNames(shared).copy(schema, { document: schema, pointer: '#' });
}

/** Whether the names in a keyword are those of schemas, and no header names. */
const hasDefinitions = (keyword: string): boolean => keywords.get(keyword)?.appliesTo === 'nothing';

const lowerText = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

/** Names that differ only in case are one. A name that is repeated in one spelling stays so: the engine reports it. */
function lowerList(names: readonly unknown[]): unknown[] {
  const lowered = names.map(lowerText);
  return new Set(names).size === names.length ? [...new Set(lowered)] : lowered;
}

class HeaderNames {
  readonly #shared: SharedSchemas;
  /** Schemas of names that are being copied. They may refer to one another in circles. */
  readonly #open = new Set<unknown>();

  constructor(shared: SharedSchemas) {
    this.#shared = shared;
  }

  /** @param isName Whether the schema describes a header name. */
  copy(schema: unknown, location: SchemaLocation, isName = false): unknown {
    if (Array.isArray(schema)) return schema.map((item) => this.copy(item, location, isName));
    if (!isObject(schema)) return schema;
    const target = isName ? followReference(schema.$ref, location, this.#shared) : undefined;
    if (target !== undefined && !this.#open.has(target.schema)) {
      // The target may describe other values elsewhere, so it is copied to here.
      const { $ref, ...others } = schema;
      this.#open.add(target.schema);
      const names = this.copy(target.schema, target.location, true);
      this.#open.delete(target.schema);
      const beside = this.copy(others, location, true) as object;
      return Object.keys(beside).length === 0 ? names : { allOf: [names, beside] };
    }
    const copied: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (!(isName && keyword === '$id'))
        copied[keyword] = this.#copyKeyword(keyword, value, location, isName);
    }
    return copied;
  }

  #copyKeyword(keyword: string, value: unknown, location: SchemaLocation, isName: boolean): unknown {
    const copy = (sub: unknown): unknown => this.copy(sub, location, isName);
    if (keyword === '$ref') return typeof value === 'string' ? lowerReference(value) : value;
    if (keyword === 'required') return Array.isArray(value) ? lowerList(value) : value;
    if (keyword === 'propertyNames') return this.copy(value, location, true);
    const { contains } = keywords.get(keyword) ?? {};
    if (contains === 'schema' || contains === 'list' || contains === 'items') return copy(value);
    if (isName && keyword === 'enum' && Array.isArray(value)) return lowerList(value);
    if (isName && keyword === 'const') return lowerText(value);
    if (isName && keyword === 'pattern') return lowerPattern(value);
    if (!isObject(value)) return value;
    const entries = Object.entries(value);
    if (keyword === 'patternProperties')
      return Object.fromEntries(entries.map(([pattern, sub]) => [lowerPattern(pattern), copy(sub)]));
    if (keyword === 'properties' || keyword === 'dependentSchemas')
      return lowerKeys(entries.map(([name, sub]) => [name, copy(sub)]));
    if (keyword === 'dependencies' || keyword === 'dependentRequired') {
      const copyDependency = (sub: unknown): unknown => (Array.isArray(sub) ? lowerList(sub) : copy(sub));
      return lowerKeys(entries.map(([name, sub]) => [name, copyDependency(sub)]));
    }
    if (hasDefinitions(keyword)) return Object.fromEntries(entries.map(([name, sub]) => [name, copy(sub)]));
    return value;
  }
}

/** Names that differ in case only are one header: all that is said of it holds. */
function lowerKeys(entries: readonly (readonly [name: string, value: unknown])[]): object {
  const lowered = new Map<string, unknown>();
  const asSchema = (value: unknown): unknown => (Array.isArray(value) ? { required: value } : value);
  for (const [name, value] of entries) {
    const key = name.toLowerCase();
    const other = lowered.get(key);
    if (other === undefined) lowered.set(key, value);
    else if (Array.isArray(other) && Array.isArray(value))
      lowered.set(key, [...new Set([...other, ...value])]);
    else lowered.set(key, { allOf: [asSchema(other), asSchema(value)] });
  }
  return Object.fromEntries(lowered);
}

/** A reference through `properties` contains a header name. */
function lowerReference(reference: string): string {
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
}

/** An escape, the name of a group, or a capital letter. */
const patternTokens = /\\(?:[pP]\{[^}]*\}|k<[^>]*>|.)|\(\?<[A-Za-z_$][^>]*>|[A-Z]/g;

/** A regular expression for names in lower case. */
function lowerPattern<T>(pattern: T): T | string {
  if (typeof pattern !== 'string') return pattern;
  return pattern.replace(patternTokens, (token) => (token.length === 1 ? token.toLowerCase() : token));
}
