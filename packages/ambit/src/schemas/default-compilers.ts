/**
 * The compilers of an application that sets none itself. For both engines, they decide what is compiled (equal schemas once) and what is
 * taken from the artifact of a build. Loaded with the first schema.
 */

import { findReference, isStandardSchema, readSchema } from '@ambit/json-schema';
import { mayGenerateCode } from '../shared/js-runtime.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import { isPlainObject } from '../shared/values.ts';
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
import type { EngineOptions } from './ajv-config-checks.ts';
import { AjvEngine } from './ajv-engine.ts';
import type { Artifact } from './artifact/artifact.ts';
import type { CompileQueue } from './compile-queue.ts';
import { lowerCaseHeaderNames } from './header-names.ts';
import type { ContentCompiler, SchemaEngine } from './schema-engine.ts';
import type { ChangeListener } from './serialization/report-changes.ts';
import { SerializerEngine } from './serializer-engine.ts';
import { TriedSchemas } from './validation/tried-schemas.ts';

const loadFiles = lazyModule<typeof import('./binary-schemas.ts')>(() => require('./binary-schemas.ts'));

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
      this.#compilerOf(new AjvEngine(mapped, { ...options, ...ofPart }, this.#artifact));
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
    return this.#compilerOf(new SerializerEngine(shared, options, dialect, listeners));
  }

  /** Wraps an engine in a compiler, with the same interface as the compilers that applications set. */
  #compilerOf<Request extends ValidatorRequest | SerializerRequest, Compiled>(
    engine: SchemaEngine<Request, Compiled>,
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
      if (isStandardSchema(request.schema)) return engine.adapt(request.schema);
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
