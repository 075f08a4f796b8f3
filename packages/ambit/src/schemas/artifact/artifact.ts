/**
 * Owns the artifact: what was compiled in a build, found again by the keys of schemas; and, for a build, which schemas the
 * application has. Only engines know what a compiled thing is.
 */

import type { JsonSchema } from '../../contract/compiler.ts';
import { require } from '../../shared/require.ts';
import { version } from '../../shared/version.ts';
import { SchemaKeys } from './schema-key.ts';

/** A function written in a build. It is linked when it is needed first: to packages by name, to its like by number. */
export type CompiledModule = (require: NodeJS.Require, use: (number: number) => unknown) => unknown;

/** The default export of the module that `compileSchemas` writes. */
export interface ArtifactModule {
  /** The packages that decide what is compiled, in the versions that did. */
  readonly builtWith: Readonly<Record<string, string>>;
  /** Numbers of modules, by the keys of their schemas. */
  readonly validators: Readonly<Record<string, number>>;
  readonly modules: readonly CompiledModule[];
  /** Programs of the serializer, by the keys of their schemas. */
  readonly serializers: Readonly<Record<string, unknown>>;
}

/** What was given is that module, or has it as its default export; `undefined` when it is neither. */
export function readArtifact(given: object): ArtifactModule | undefined {
  const { default: inner = given } = given as { default?: unknown };
  const { builtWith, validators, modules, serializers } = Object(inner) as Partial<ArtifactModule>;
  const isWhole = [builtWith, validators, serializers].every(
    (each) => typeof each === 'object' && each !== null,
  );
  return isWhole && Array.isArray(modules) ? (inner as ArtifactModule) : undefined;
}

/** What decides what an engine makes of a schema. */
export interface SectionSettings {
  readonly part: 'validators' | 'serializers';
  readonly options: unknown;
  readonly shared: Readonly<Record<string, JsonSchema>>;
  /** Whether the engine refuses what it refuses by default, and nothing else. */
  readonly isStandardConfig: boolean;
}

type Precheck = (shared: SectionSettings['shared']) => boolean;

/** The artifact of one application; it may have been given none. */
export class Artifact {
  /** The modules of what was given; who holds a number of one may link it whatever happens to the rest. */
  readonly modules: LinkedModules;
  readonly #sections: ArtifactSection<unknown>[] = [];
  readonly #passPrecheck: Precheck;
  #module: ArtifactModule | undefined;
  #isBooting = true;

  /** @param areSound Proves that shared schemas compile, and refer to one another by whole names only. */
  constructor(module: ArtifactModule | undefined, areSound: Precheck) {
    this.#module = module;
    this.modules = new LinkedModules(module?.modules ?? []);
    this.#passPrecheck = areSound;
  }

  get module(): ArtifactModule | undefined {
    return this.#module;
  }

  /** Whether a schema that is not in it is an error: no build can know those that handlers compile. */
  get isRequired(): boolean {
    return this.#module !== undefined && this.#isBooting;
  }

  get sections(): readonly ArtifactSection<unknown>[] {
    return this.#sections;
  }

  /** Everything is compiled from now on, whatever was given. */
  ignore(): void {
    this.#module = undefined;
  }

  endBoot(): void {
    this.#isBooting = false;
  }

  /** A package of another version than the one that what was given was made by. */
  findOtherVersion(): { name: string; version: string; builtWith: string | undefined } | undefined {
    if (this.#module === undefined) return undefined;
    const { builtWith } = this.#module;
    const different = Object.entries(engineVersions()).find(([name, version]) => builtWith[name] !== version);
    return different && { name: different[0], version: different[1], builtWith: builtWith[different[0]] };
  }

  /** The part of it that belongs to one engine. */
  open<Compiled>(settings: SectionSettings): ArtifactSection<Compiled> {
    const section = new ArtifactSection<Compiled>(this, settings, this.#passPrecheck);
    this.#sections.push(section);
    return section;
  }
}

/** The schemas of one engine, and what the artifact has for them. */
export class ArtifactSection<Compiled> {
  readonly settings: SectionSettings;
  /** The schemas that the engine was given, as text. */
  readonly contents: Set<string> = new Set();
  readonly #artifact: Artifact;
  readonly #passPrecheck: Precheck;
  #keys: SchemaKeys | undefined;

  constructor(artifact: Artifact, settings: SectionSettings, areSound: Precheck) {
    this.#artifact = artifact;
    this.settings = settings;
    this.#passPrecheck = areSound;
  }

  /**
   * What a schema, given as text, was compiled to; `undefined` when it is to be compiled.
   *
   * @throws What `missing` makes, when the schema had to be there.
   */
  find(content: string, missing: () => Error): Compiled | undefined {
    this.contents.add(content);
    const { module } = this.#artifact;
    const key = module && this.keyOf(content);
    if (key === undefined) return undefined;
    const compiled = module![this.settings.part];
    if (Object.hasOwn(compiled, key)) return compiled[key] as Compiled;
    if (this.#artifact.isRequired) throw missing();
    return undefined;
  }

  /** `undefined` for a schema that no artifact can hold. */
  keyOf(content: string): string | undefined {
    this.#keys ??= this.#makeKeys();
    return this.#keys.keyOf(content);
  }

  #makeKeys(): SchemaKeys {
    const { part, options, shared, isStandardConfig } = this.settings;
    const settings = JSON.stringify([part, options, engineVersions()]);
    return new SchemaKeys(settings, shared, isStandardConfig && this.#passPrecheck(shared));
  }
}

/** The modules of a module, each linked once. */
export class LinkedModules {
  readonly #modules: readonly CompiledModule[];
  readonly #linked: unknown[] = [];

  constructor(modules: readonly CompiledModule[]) {
    this.#modules = modules;
  }

  link(number: number): unknown {
    this.#linked[number] ??= this.#modules[number]!(require, (other) => this.link(other));
    return this.#linked[number];
  }
}

const enginePackages: readonly string[] = ['ajv', 'ajv-formats', '@ambit/json-serializer'];
let versions: Readonly<Record<string, string>> | undefined;

/** The versions of the packages that decide what schemas are compiled to. */
export function engineVersions(): Readonly<Record<string, string>> {
  versions ??= {
    ambit: version,
    ...Object.fromEntries(
      enginePackages.map((name) => [name, require(`${name}/package.json`).version as string]),
    ),
  };
  return versions;
}
