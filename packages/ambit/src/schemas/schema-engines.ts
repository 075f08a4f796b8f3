/** The default engines of an application, with their options, the artifact and the compile queue. Their code is loaded with the first schema. */
import type { AjvOptions, CompileTime, SerializerOptions } from '../contract/compiler-options.ts';
import { CompiledStale } from '../contract/errors.ts';
import { CallSite } from '../shared/call-site.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import { Artifact, type ArtifactModule } from './artifact/artifact.ts';
import { CompileQueue } from './compile-queue.ts';
import type { DefaultCompilers } from './default-compilers.ts';
import type { CompilerFactories } from './schema-registry.ts';
import type { ChangeListener } from './serialization/report-changes.ts';

const loadCompilers = lazyModule<typeof import('./default-compilers.ts')>(() =>
  require('./default-compilers.ts'),
);

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
  #loadedCompilers: DefaultCompilers | undefined;

  constructor(options: SchemaEngineOptions) {
    this.#options = options;
    this.queue = new CompileQueue(options.compile ?? 'first-use');
    this.artifact = new Artifact(options.compiled);
    this.#site = options.compiled && new CallSite();
  }

  /** @param listeners Called with what serializers change in values. Serializers that are compiled without listeners do not search for changes. */
  factories(listeners: readonly ChangeListener[]): CompilerFactories {
    const { ajv, serializer } = this.#options;
    return {
      buildValidator: (shared, options) => this.#compilers.buildValidator(shared, options),
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
    const other = this.artifact.findOtherVersion();
    if (other === undefined) return;
    const reason = `they were compiled with ${other.name} ${other.builtWith}, but this is ${other.version}`;
    throw CompiledStale.at({ where: { plugin, file: this.#site?.location } }, reason);
  }
}
