/**
 * Owns the default engines of an application: what makes compilers for its contexts, when code is generated, and what a build has
 * generated already.
 */
import type { AjvOptions, CompileTime, SerializerOptions } from '../contract/compiler.ts';
import { CompiledStale } from '../contract/errors.ts';
import type { Logger } from '../contract/logger.ts';
import { CallSite } from '../shared/call-site.ts';
import { Artifact, type ArtifactModule } from './artifact/artifact.ts';
import { CompileQueue } from './compile-queue.ts';
import type { CompilerFactories } from './registry.ts';
import { buildSerializerCompiler } from './serialization/json-serializer-compiler.ts';
import { serializingStandardSchemas } from './serialization/standard-schema-serializer.ts';
import { buildAjvCompiler } from './validation/ajv-compiler.ts';
import { sharedPassPrecheck } from './validation/schema-precheck.ts';
import { validatingStandardSchemas } from './validation/standard-schema-validator.ts';

/** The application's options about schemas, checked. */
export interface SchemaEngineOptions {
  readonly ajv: AjvOptions;
  readonly serializer: SerializerOptions | undefined;
  /** When code is generated; `'first-use'` when it is left out. */
  readonly compile: CompileTime | undefined;
  readonly compiled: ArtifactModule | undefined;
}

export class SchemaEngines {
  readonly queue: CompileQueue;
  readonly artifact: Artifact;
  readonly #options: SchemaEngineOptions;
  readonly #site: CallSite | undefined;

  constructor(options: SchemaEngineOptions) {
    this.#options = options;
    this.queue = new CompileQueue(options.compile ?? 'first-use');
    this.artifact = new Artifact(options.compiled, sharedPassPrecheck);
    this.#site = options.compiled && new CallSite();
  }

  /** @param log Where serializers report what they change; without one, they do not look. */
  factories(log: Logger | undefined): CompilerFactories {
    const { queue, artifact } = this;
    return {
      buildValidator: (shared, ajv) =>
        validatingStandardSchemas(buildAjvCompiler(shared, ajv, queue, artifact)),
      buildSerializer: (shared, options) =>
        serializingStandardSchemas(buildSerializerCompiler(shared, options, { queue, artifact, log })),
      ajvOptions: this.#options.ajv,
      serializerOptions: this.#options.serializer,
    };
  }

  /**
   * @param plugin The path of the root, for the error.
   * @throws {CompiledStale} when the artifact was made with other versions of what it is made with.
   */
  checkVersions(plugin: string): void {
    const other = this.artifact.findOtherVersion();
    if (other === undefined) return;
    const reason = `they were made with ${other.name} ${other.builtWith}, and this is ${other.version}`;
    throw CompiledStale.at({ where: { plugin, file: this.#site?.place } }, reason);
  }
}
