/** The schema engines of an application: what an engine is, and the default ones. Their code is loaded with the first schema. */
import { createRequire } from 'node:module';
import type { SchemaContent } from '@ambit/json-schema';
import { CallSite } from '../shared/call-site.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import type {
  AjvOptions,
  CompileTime,
  SerializerOptions,
  SerializerRequest,
  ValidatorRequest,
} from '../types/compilers.ts';
import { CompiledStale } from '../types/errors.ts';
import type { Compatibility } from '../types/flavor.ts';
import type { Logger } from '../types/logger.ts';
import type { Artifact, ArtifactSection, SectionSettings } from './artifact.ts';
import type { CompilerFactories } from './schema-registry.ts';
import type { ChangeListener } from './serializer-engine.ts';

const require = createRequire(import.meta.url);

const loadCompilers = lazyModule<typeof import('./default-compilers.ts')>(() =>
  require('./default-compilers.ts'),
);

const loadArtifact = lazyModule<typeof import('./artifact.ts')>(() => require('./artifact.ts'));

/** The application's options about schemas, checked. */
interface SchemaEngineOptions {
  readonly ajv: AjvOptions;
  readonly serializer: SerializerOptions | undefined;
  /** When code is generated; default `'first-use'`. */
  readonly compile: CompileTime | undefined;
  /** The module that a build has written. */
  readonly compiled: object | null | undefined;
  readonly openApiWords: Compatibility['openApiWords'];
}

/** The default engines of one application. */
export class SchemaEngines {
  readonly queue: CompileQueue;
  /** The schemas of each engine, for `compileSchemas`. */
  readonly sections: ArtifactSection[] = [];
  /** What a build has compiled, if it is used. */
  artifact: Artifact | undefined = undefined;
  readonly #options: SchemaEngineOptions;
  readonly #site: CallSite | undefined;

  constructor(options: SchemaEngineOptions) {
    const { compile = 'first-use', compiled } = options;
    this.#options = options;
    this.queue = new CompileQueue(compile);
    if (!compiled) return;
    this.artifact = loadArtifact().readArtifact(compiled);
    this.#site = new CallSite();
  }

  /** @param listeners Called with what serializers change in values. */
  factories(listeners: readonly ChangeListener[]): CompilerFactories {
    const { ajv, serializer, openApiWords } = this.#options;
    const flavored = openApiWords === 'known' ? {} : { rejectsOpenApi: true as const };
    return {
      validator: (shared) => loadCompilers().buildValidator(this, shared, { ...ajv, ...flavored }),
      serializer: (shared) =>
        loadCompilers().buildSerializer(this, shared, serializer, ajv.dialect, listeners),
      ajvOptions: ajv,
      serializerOptions: serializer,
    };
  }

  /**
   * @param plugin The path of the root, for the error.
   * @throws {CompiledStale} if other versions of the engines wrote the artifact.
   */
  checkVersions(plugin: string): void {
    const other = this.artifact?.findOtherVersion();
    if (other === undefined) return;
    const reason = `they were compiled with ${other.name} ${other.builtWith}, but this is ${other.version}`;
    throw CompiledStale.at({ where: { plugin, file: this.#site?.file } }, reason);
  }

  /** Boots the application, and returns the text of a module with the functions that the default engines compile from all schemas. */
  async writeArtifact(boot: () => Promise<unknown>): Promise<string> {
    // The module in the option `compiled` is about to be replaced, so it must not fail boot if it is stale.
    this.artifact = undefined;
    await boot();
    return loadArtifact().writeArtifact(this.sections);
  }
}

/** Decides when code is generated: during boot, at the first use, or in the background after boot. */
export class CompileQueue {
  readonly isEager: boolean;
  readonly #isInBackground: boolean;
  #waiting: (() => void)[] = [];

  constructor(time: CompileTime) {
    this.isEager = time === 'boot';
    this.#isInBackground = time === 'background';
  }

  add(generate: () => void): void {
    if (this.isEager) generate();
    else if (this.#isInBackground) this.#waiting.push(generate);
  }

  /**
   * Compiles the waiting schemas, one per turn of the event loop, so that requests are served in between.
   *
   * @param onFailure Called with the error of a schema. The first use of the schema throws it again.
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
      // `setImmediate` keeps the process alive until all schemas are compiled: an idle event loop would sleep while schemas still wait.
      setImmediate(next);
    };
    this.#waiting.reverse();
    setImmediate(next);
  }

  /** Drops the waiting schemas: their first use compiles them. */
  stop(): void {
    this.#waiting = [];
  }
}

/** Compiles schemas into functions, with one set of shared schemas. */
export interface SchemaEngine<Request extends ValidatorRequest | SerializerRequest, Compiled> {
  /**
   * Everything besides the schema that decides what is compiled; `undefined` if text cannot express it, so that no artifact can contain it.
   */
  readonly settings: SectionSettings | undefined;
  /** Whether equal schemas get the same function. */
  readonly isShared: boolean;
  /**
   * Compiles the schema of a request.
   *
   * @param content The schema as text, if JSON can express it.
   * @param mayWait Whether code may be generated later. Errors of the schema are thrown now in any case.
   */
  compile(request: Request, content: string | undefined, mayWait: boolean): CompiledSchema<Compiled>;
  /** Creates the function from what a build compiled from the schema. */
  link(stored: unknown, request: Request, content: string): CompiledSchema<Compiled>;
}

/** A compiler that may get the content of the schema, if it was read already. Compilers of applications ignore it. */
export type ContentCompiler<Request, Compiled> = (request: Request, content?: SchemaContent) => Compiled;

/** A function that an engine has created. */
export interface CompiledSchema<Compiled> {
  readonly run: Compiled;
  /** Generates the code before the first call; `undefined` if it is generated already. */
  readonly generate: (() => void) | undefined;
}

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

/** Logs one change as a warning. */
export function warnOfChange(
  log: Logger,
  { method, url, status, contentType, kind, path, message, isLast }: Parameters<ChangeListener>[0],
): void {
  const route = `${method} ${url}`;
  const place = [route, status, contentType].filter(Boolean).join(', ');
  const end = isLast ? '; nothing further is reported for this response schema' : '';
  log.warn(
    { route, ...(status && { status }), kind, path },
    `serialization of ${place}: ${path === '' ? 'the whole value' : path}: ${message}${end}`,
  );
}
