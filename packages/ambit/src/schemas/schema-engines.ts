/**
 * The default engines of an application, with their options, the artifact and the compile queue. Their code is loaded with the first
 * schema.
 */

import { CallSite } from '../shared/call-site.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import type { AjvOptions, CompileTime, SerializerOptions } from '../types/compilers.ts';
import { CompiledStale } from '../types/errors.ts';
import type { Compatibility } from '../types/flavor.ts';
import type { Artifact, ArtifactModule } from './artifact/artifact.ts';
import { CompileQueue } from './compile-queue.ts';
import type { DefaultCompilers } from './default-compilers.ts';
import type { CompilerFactories } from './schema-registry.ts';
import type { ChangeListener } from './serialization/report-changes.ts';

const loadCompilers = lazyModule<typeof import('./default-compilers.ts')>(() =>
  require('./default-compilers.ts'),
);

const loadArtifact = lazyModule<typeof import('./artifact/artifact.ts')>(() =>
  require('./artifact/artifact.ts'),
);

/** The application's options about schemas, checked. */
export interface SchemaEngineOptions {
  readonly ajv: AjvOptions;
  readonly serializer: SerializerOptions | undefined;
  /** When code is generated; default `'first-use'`. */
  readonly compile: CompileTime | undefined;
  readonly compiled: ArtifactModule | undefined;
  readonly openApiWords: Compatibility['openApiWords'];
}

/** The default engines of one application. */
export class SchemaEngines {
  readonly queue: CompileQueue;
  readonly #options: SchemaEngineOptions;
  readonly #site: CallSite | undefined;
  #artifact: Artifact | undefined;
  #loadedCompilers: DefaultCompilers | undefined;

  constructor(options: SchemaEngineOptions) {
    this.#options = options;
    this.queue = new CompileQueue(options.compile ?? 'first-use');
    this.#site = options.compiled && new CallSite();
  }

  /** Without the option `compiled`, it collects the schemas of the application, for `compileSchemas`. */
  get artifact(): Artifact {
    this.#artifact ??= new (loadArtifact().Artifact)(this.#options.compiled);
    return this.#artifact;
  }

  /**
   * @param listeners Called with what serializers change in values. Serializers that are compiled without listeners do not search for
   *   changes.
   */
  factories(listeners: readonly ChangeListener[]): CompilerFactories {
    const { ajv, serializer, openApiWords } = this.#options;
    return {
      buildValidator: (shared, options) =>
        this.#compilers.buildValidator(
          shared,
          openApiWords === 'known' ? options : { ...options, rejectsOpenApi: true },
        ),
      buildSerializer: (shared, options) =>
        this.#compilers.buildSerializer(shared, options, ajv.dialect, listeners),
      ajvOptions: ajv,
      serializerOptions: serializer,
    };
  }

  get #compilers(): DefaultCompilers {
    this.#loadedCompilers ??= new (loadCompilers().DefaultCompilers)(this.artifact, this.queue);
    return this.#loadedCompilers;
  }

  /**
   * @param plugin The path of the root, for the error.
   * @throws {CompiledStale} if other versions of the engines wrote the artifact.
   */
  checkVersions(plugin: string): void {
    if (this.#options.compiled === undefined) return;
    const other = this.artifact.findOtherVersion();
    if (other === undefined) return;
    const reason = `they were compiled with ${other.name} ${other.builtWith}, but this is ${other.version}`;
    throw CompiledStale.at({ where: { plugin, file: this.#site?.location } }, reason);
  }

  /** From now on, the artifact may lack schemas: no build knows those that handlers compile. */
  endBoot(): void {
    this.#artifact?.endBoot();
  }
}
