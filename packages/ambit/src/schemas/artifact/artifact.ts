/**
 * The artifact: what a build has compiled, by the keys of the schemas. For a build, it also records which schemas the application has. Only
 * engines know the form of a compiled entry.
 */

import { lazyModule, require } from '../../shared/lazy-module.ts';
import { version } from '../../shared/version.ts';
import type { JsonSchema } from '../../types/compilers.ts';
import { requirePackage, versionOf } from './packages.ts';
import { SchemaKeys } from './schema-key.ts';

const loadFileKeyword = lazyModule<typeof import('../validation/file-keyword.ts')>(() =>
  require('../validation/file-keyword.ts'),
);

const loadConversion = lazyModule<typeof import('../validation/conversion.ts')>(() =>
  require('../validation/conversion.ts'),
);

/** A function that a build wrote. At its first use, it is linked: to packages by name, and to other modules by number. */
export type CompiledModule = (
  require: (name: string) => unknown,
  use: (number: number) => unknown,
) => unknown;

/** The default export of the module that `compileSchemas` writes. */
export interface ArtifactModule {
  /** The versions of the packages that decide what is compiled. */
  readonly builtWith: Readonly<Record<string, string>>;
  /** Numbers of modules, by the keys of their schemas. */
  readonly validators: Readonly<Record<string, number>>;
  readonly modules: readonly CompiledModule[];
  /** Programs of the serializer, by the keys of their schemas. */
  readonly serializers: Readonly<Record<string, unknown>>;
}

/** Reads the module, or a module namespace that has it as its default export; `undefined` for anything else. */
export function readArtifact(candidate: object): ArtifactModule | undefined {
  const { default: inner = candidate } = candidate as { default?: unknown };
  const { builtWith, validators, modules, serializers } = Object(inner) as Partial<ArtifactModule>;
  const isComplete = [builtWith, validators, serializers].every(
    (each) => typeof each === 'object' && each !== null,
  );
  return isComplete && Array.isArray(modules) ? (inner as ArtifactModule) : undefined;
}

/** Everything besides the schema that decides what an engine compiles. */
export interface SectionSettings {
  readonly part: 'validators' | 'serializers';
  readonly options: unknown;
  readonly shared: Readonly<Record<string, JsonSchema>>;
  /** Returns whether all shared schemas are certain to compile, and refer to one another only by their full names. */
  readonly isPlain: () => boolean;
}

/** The artifact of one application, which may have none. */
export class Artifact {
  /** The compiled functions. They can be linked by number even after `ignore`. */
  readonly modules: LinkedModules;
  readonly #sections: ArtifactSection<unknown>[] = [];
  #module: ArtifactModule | undefined;
  #isBooting = true;

  constructor(module: ArtifactModule | undefined) {
    this.#module = module;
    this.modules = new LinkedModules(module?.modules ?? []);
  }

  get module(): ArtifactModule | undefined {
    return this.#module;
  }

  /** Whether a missing schema is an error. After boot it is not, because the build does not know the schemas that handlers compile. */
  get isRequired(): boolean {
    return this.#module !== undefined && this.#isBooting;
  }

  get sections(): readonly ArtifactSection<unknown>[] {
    return this.#sections;
  }

  /** From now on, the artifact is not used: all schemas are compiled. */
  ignore(): void {
    this.#module = undefined;
  }

  endBoot(): void {
    this.#isBooting = false;
  }

  /** Returns the first package whose version differs from the version that wrote the artifact. */
  findOtherVersion(): { name: string; version: string; builtWith: string | undefined } | undefined {
    if (this.#module === undefined) return undefined;
    const { builtWith } = this.#module;
    const different = Object.entries(engineVersions()).find(([name, version]) => builtWith[name] !== version);
    return different && { name: different[0], version: different[1], builtWith: builtWith[different[0]] };
  }

  /** Opens the section of one engine. */
  open<Compiled>(settings: SectionSettings): ArtifactSection<Compiled> {
    const section = new ArtifactSection<Compiled>(this, settings);
    this.#sections.push(section);
    return section;
  }
}

/** The schemas of one engine, and what the artifact contains for them. */
export class ArtifactSection<Compiled> {
  readonly settings: SectionSettings;
  /** The schemas that the engine compiles or links, as text. */
  readonly contents: Set<string> = new Set();
  readonly #artifact: Artifact;
  #keys: SchemaKeys | undefined;

  constructor(artifact: Artifact, settings: SectionSettings) {
    this.#artifact = artifact;
    this.settings = settings;
  }

  /**
   * Returns what the build compiled from a schema in text form; `undefined` if the schema must be compiled now.
   *
   * @throws The error of `makeMissingError`, if the artifact must contain the schema but does not.
   */
  find(content: string, makeMissingError: () => Error): Compiled | undefined {
    this.contents.add(content);
    const { module } = this.#artifact;
    const key = module && this.keyOf(content);
    if (key === undefined) return undefined;
    const compiled = module![this.settings.part];
    if (Object.hasOwn(compiled, key)) return compiled[key] as Compiled;
    if (this.#artifact.isRequired) throw makeMissingError();
    return undefined;
  }

  /** Returns the key of a schema; `undefined` if no artifact can contain the schema. */
  keyOf(content: string): string | undefined {
    this.#keys ??= this.#makeKeys();
    return this.#keys.keyOf(content);
  }

  #makeKeys(): SchemaKeys {
    const { part, options, shared, isPlain } = this.settings;
    const settings = JSON.stringify([part, options, engineVersions()]);
    return new SchemaKeys(settings, shared, isPlain());
  }
}

/** The name under which compiled functions load the function of the framework's own keyword. */
export const fileModule = 'ambit/validate-file';
/** The name under which they load the functions that convert only where it is necessary. */
export const conversionModule = 'ambit/conversion';

/** Loads what compiled functions call: a module of a package, or of the framework. */
function requireModule(name: string): unknown {
  if (name === fileModule) return loadFileKeyword().validateFile;
  return name === conversionModule ? loadConversion() : requirePackage(name);
}

/** The compiled functions of an artifact, each linked once. */
export class LinkedModules {
  readonly #modules: readonly CompiledModule[];
  readonly #linked: unknown[] = [];

  constructor(modules: readonly CompiledModule[]) {
    this.#modules = modules;
  }

  link(number: number): unknown {
    this.#linked[number] ??= this.#modules[number]!(requireModule, (other) => this.link(other));
    return this.#linked[number];
  }
}

const enginePackages: readonly string[] = ['ajv', 'ajv-formats', '@ambit/json-serializer'];
let versions: Readonly<Record<string, string>> | undefined;

/** The versions of the packages that decide what is compiled. */
export function engineVersions(): Readonly<Record<string, string>> {
  versions ??= {
    ambit: version,
    ...Object.fromEntries(enginePackages.map((name) => [name, versionOf(name)])),
  };
  return versions;
}
