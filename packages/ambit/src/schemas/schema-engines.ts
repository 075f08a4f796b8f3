/**
 * Owns the compilation of schemas by the default engines. Ajv and our serializer implement one interface, `SchemaEngine`; here is decided
 * once for both what is compiled (each content once), when (boot, first use, background), and what a build compiled already.
 */
import type {
  AjvOptions,
  CompileTime,
  JsonSchema,
  SerializerOptions,
  SerializerRequest,
  SharedSchemas,
  ValidatorCompiler,
  ValidatorRequest,
} from '../contract/compiler.ts';
import { CodeGenerationForbidden, CompiledStale } from '../contract/errors.ts';
import { CallSite } from '../shared/call-site.ts';
import { mayGenerateCode } from '../shared/may-generate-code.ts';
import { AjvEngine } from './ajv-engine.ts';
import { Artifact, type ArtifactModule, type SectionSettings } from './artifact/artifact.ts';
import { acceptFiles } from './binary-schemas.ts';
import { contentKey } from './content-key.ts';
import type { CompilerFactories } from './schema-registry.ts';
import type { ChangeListener } from './serialization/report-changes.ts';
import { SerializerEngine } from './serializer-engine.ts';
import { isStandardSchema, type StandardSchema } from './standard-schema.ts';

/** Makes functions from schemas, over one set of shared schemas. */
export interface SchemaEngine<Request extends ValidatorRequest | SerializerRequest, Compiled> {
  /** Everything besides the schema that decides what is compiled; `undefined` when text cannot tell it, so that no artifact can hold it. */
  readonly settings: SectionSettings | undefined;
  /** Whether schemas of equal content get the same function. */
  readonly isShared: boolean;
  /**
   * Compiles the schema of a request.
   *
   * @param content The schema as text, where `contentKey` can tell it.
   * @param mayWait Whether code may be generated later. Every fault of the schema is thrown now either way.
   */
  compile(request: Request, content: string | undefined, mayWait: boolean): CompiledSchema<Compiled>;
  /** Makes the function of what a build compiled from the schema. */
  link(stored: unknown, request: Request, content: string): CompiledSchema<Compiled>;
  /** Makes the function of a schema of another library, which needs no code. */
  adapt(schema: StandardSchema): Compiled;
}

/** A function that an engine made. */
export interface CompiledSchema<Compiled> {
  readonly run: Compiled;
  /** Generates its code ahead of its first call; `undefined` when that is done. */
  readonly generate: (() => void) | undefined;
}

/** The application's options about schemas, checked. */
export interface SchemaEngineOptions {
  readonly ajv: AjvOptions;
  readonly serializer: SerializerOptions | undefined;
  /** When code is generated; default `'first-use'`. */
  readonly compile: CompileTime | undefined;
  readonly compiled: ArtifactModule | undefined;
}

/** The default engines of one application. */
export class SchemaEngines {
  readonly queue: CompileQueue;
  readonly artifact: Artifact;
  readonly #options: SchemaEngineOptions;
  readonly #site: CallSite | undefined;

  constructor(options: SchemaEngineOptions) {
    this.#options = options;
    this.queue = new CompileQueue(options.compile ?? 'first-use');
    this.artifact = new Artifact(options.compiled);
    this.#site = options.compiled && new CallSite();
  }

  /** @param listeners Get what serializers change in values. Serializers that are made while there is none do not look. */
  factories(listeners: readonly ChangeListener[]): CompilerFactories {
    return {
      buildValidator: (shared, ajv) => this.#validatorCompiler(shared, ajv),
      buildSerializer: (shared, options) =>
        this.#compilerOf(new SerializerEngine(shared, options, this.#options.ajv.dialect, listeners)),
      ajvOptions: this.#options.ajv,
      serializerOptions: this.#options.serializer,
    };
  }

  /** Forms have an engine of their own, over the same shared schemas, in which strings of the format `binary` are files. */
  #validatorCompiler(shared: SharedSchemas, options: AjvOptions): ValidatorCompiler {
    const compile = this.#compilerOf(new AjvEngine(shared, options, this.artifact));
    let compileForm: ValidatorCompiler | undefined;
    return (request) => {
      if (request.hasFiles !== true || isStandardSchema(request.schema)) return compile(request);
      compileForm ??= this.#compilerOf(
        new AjvEngine(mapShared(shared, acceptFiles), { ...options, acceptsFiles: true }, this.artifact),
      );
      return compileForm({ ...request, schema: acceptFiles(request.schema) });
    };
  }

  /** A compiler over an engine: the interface that a compiler of the application's own has too. */
  #compilerOf<Request extends ValidatorRequest | SerializerRequest, Compiled>(
    engine: SchemaEngine<Request, Compiled>,
  ): (request: Request) => Compiled {
    const section = engine.settings && this.artifact.open(engine.settings);
    const make = (request: Request, content: string | undefined): Compiled => {
      const missing = () => new CompiledStale(`${describePart(request)} is missing`);
      const stored = content === undefined ? undefined : section?.find(content, missing);
      if (stored === undefined && !mayGenerateCode())
        throw new CodeGenerationForbidden(describePart(request));
      const { run, generate } =
        stored === undefined
          ? engine.compile(request, content, !this.queue.isEager)
          : engine.link(stored, request, content!);
      if (generate !== undefined) this.queue.add(generate);
      return run;
    };
    const byContent = new Map<string, Compiled>();
    return (request) => {
      if (isStandardSchema(request.schema)) return engine.adapt(request.schema);
      const content = contentKey(request.schema);
      if (content === undefined || !engine.isShared) return make(request, content);
      let compiled = byContent.get(content);
      if (compiled === undefined) {
        compiled = make(request, content);
        byContent.set(content, compiled);
      }
      return compiled;
    };
  }

  /**
   * @param plugin The path of the root, for the error.
   * @throws {CompiledStale} when other versions of the engines wrote the artifact.
   */
  checkVersions(plugin: string): void {
    const other = this.artifact.findOtherVersion();
    if (other === undefined) return;
    const reason = `they were compiled with ${other.name} ${other.builtWith}, but this is ${other.version}`;
    throw CompiledStale.at({ where: { plugin, file: this.#site?.place } }, reason);
  }
}

function mapShared(shared: SharedSchemas, map: (schema: unknown) => unknown): SharedSchemas {
  return Object.fromEntries(Object.entries(shared).map(([id, schema]) => [id, map(schema) as JsonSchema]));
}

/** For a message: `the body of POST /notes`, `the response 200 of GET /notes (text/csv)`. */
function describePart(request: ValidatorRequest | SerializerRequest): string {
  const { method, url, contentType } = request;
  const part =
    'httpPart' in request ? request.httpPart : `response ${(request as SerializerRequest).httpStatus}`;
  return `the ${part} of ${method} ${url}${contentType === undefined ? '' : ` (${contentType})`}`;
}

/** Decides when code is generated for schemas that boot has checked: during boot, at the first use, or in between. */
class CompileQueue {
  readonly #time: CompileTime;
  #waiting: (() => void)[] = [];

  constructor(time: CompileTime) {
    this.#time = time;
  }

  get isEager(): boolean {
    return this.#time === 'boot';
  }

  add(generate: () => void): void {
    if (this.isEager) generate();
    else if (this.#time === 'background') this.#waiting.push(generate);
  }

  /**
   * Compiles what waits, one schema per turn of the event loop, so that requests are served in between.
   *
   * @param onFailure Gets what a schema threw; its first use throws it again.
   */
  start(onFailure: (error: unknown) => void): void {
    const next = (): void => {
      const generate = this.#waiting.pop();
      if (generate === undefined) return;
      try {
        generate();
      } catch (error) {
        onFailure(error);
      }
      // Keeps the process alive until all is compiled: otherwise an idle event loop would sleep, with schemas still waiting.
      setImmediate(next);
    };
    this.#waiting.reverse();
    setImmediate(next);
  }

  /** Drops what waits. */
  stop(): void {
    this.#waiting = [];
  }
}
