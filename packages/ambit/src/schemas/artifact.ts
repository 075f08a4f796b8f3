/** The artifact: what a build has compiled, by the keys of the schemas. How is it read, and how is it written? */
import { createRequire } from 'node:module';
import { contentKey } from '@ambit/json-schema';
import {
  type CompiledModule,
  engineVersions,
  LinkedModules,
  type Validator,
  ValidatorSource,
} from '@ambit/json-validator';
import { mayGenerateCode } from '../shared/js-runtime.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import { version } from '../shared/version.ts';
import type { AjvOptions, JsonSchema } from '../types/compilers.ts';
import { CodeGenerationForbidden, OptionsInvalid } from '../types/errors.ts';
import { type EngineOptions, externals, toValidatorOptions } from './default-compilers.ts';
import { programWriter } from './serializer-engine.ts';

const require = createRequire(import.meta.url);

const loadCrypto = lazyModule<typeof import('node:crypto')>(() => require('node:crypto'));

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

/** Reads the module, or a module namespace that has it as its default export. @throws {OptionsInvalid} for anything else. */
export function readArtifact(candidate: object): Artifact {
  const { default: inner = candidate } = candidate as { default?: unknown };
  const { builtWith, validators, modules, serializers } = Object(inner) as Partial<ArtifactModule>;
  const isComplete = [builtWith, validators, serializers].every(
    (each) => typeof each === 'object' && each !== null,
  );
  if (isComplete && Array.isArray(modules)) return new Artifact(inner as ArtifactModule);
  throw new OptionsInvalid('compiled must be the module that compileSchemas wrote');
}

/** Everything besides the schema that decides what an engine compiles. */
export interface SectionSettings {
  readonly part: 'validators' | 'serializers';
  readonly options: unknown;
  readonly shared: Readonly<Record<string, JsonSchema>>;
  /**
   * Returns whether all shared schemas are certain to compile, and refer to one another only by their full names. If not, each of them may
   * affect any schema.
   */
  readonly isPlain: () => boolean;
}

/** The schemas of one engine. */
export interface ArtifactSection {
  readonly settings: SectionSettings;
  /** The schemas that the engine compiles or links, as text. */
  readonly contents: Set<string>;
  /** Made for the first key. */
  keys?: SchemaKeys;
}

/** Returns the key of a schema in text form; `undefined` if no artifact can contain the schema. */
function keyOf(section: ArtifactSection, content: string): string | undefined {
  section.keys ??= new SchemaKeys(section.settings);
  return section.keys.keyOf(content);
}

/** The artifact of one application. */
export class Artifact {
  readonly #module: ArtifactModule;
  readonly #linked: LinkedModules;
  #isBooting = true;

  constructor(module: ArtifactModule) {
    this.#module = module;
    this.#linked = new LinkedModules(module.modules, externals);
  }

  /** From now on, schemas may be missing: no build knows those that handlers compile. */
  endBoot(): void {
    this.#isBooting = false;
  }

  /** Returns the first package whose version differs from the version that wrote the artifact. */
  findOtherVersion(): { name: string; version: string; builtWith: string | undefined } | undefined {
    const { builtWith } = this.#module;
    const different = Object.entries(readVersions()).find(([name, version]) => builtWith[name] !== version);
    return different && { name: different[0], version: different[1], builtWith: builtWith[different[0]] };
  }

  /**
   * Returns what the build compiled from a schema in text form; `undefined` if the schema must be compiled now.
   *
   * @throws The error of `makeMissingError`, if the artifact must contain the schema but does not.
   */
  find(section: ArtifactSection, content: string, makeMissingError: () => Error): unknown {
    const key = keyOf(section, content);
    if (key === undefined) return undefined;
    const compiled = this.#module[section.settings.part];
    if (Object.hasOwn(compiled, key)) return compiled[key];
    if (this.#isBooting) throw makeMissingError();
    return undefined;
  }

  /** Returns the function of a validator. */
  link(stored: unknown): Validator {
    return this.#linked.link(stored as number);
  }
}

/** Keywords that define names, or that refer to schemas in another way than by name. */
const namingKeywords = /"\$(?:id|schema|anchor|dynamic[A-Z]\w*|recursive[A-Z]\w*)":/;
/** The only values of these keywords that have no effect on references: the dialects that the engines know. */
const knownDialects =
  /"\$schema":"(?:http:\/\/json-schema\.org\/draft-07|https:\/\/json-schema\.org\/draft\/2020-12)\/schema#?"/g;
/** References are searched in the text. If one is data instead of a keyword, the key includes more schemas than necessary. */
const references = /"\$ref":"((?:[^"\\]|\\.)*)"/g;

/** Computes the key of a schema: a hash of its content, of all schemas that it refers to, and of the settings of the engine. */
export class SchemaKeys {
  /** As text in one line. */
  readonly #settings: string;
  readonly #shared: Readonly<Record<string, JsonSchema>>;
  readonly #isPlain: boolean;
  readonly #texts = new Map<string, string | undefined>();
  #allText: string | undefined;

  constructor({ part, options, shared, isPlain }: SectionSettings) {
    this.#settings = JSON.stringify([part, options, readVersions()]);
    this.#shared = shared;
    this.#isPlain = isPlain();
  }

  /** Returns the key of a schema in text form; `undefined` if text cannot express one of the schemas that it refers to. */
  keyOf(content: string): string | undefined {
    const referenced = this.#textOfReferenced(content);
    if (referenced === undefined) return undefined;
    // JSON text has no line breaks, so different parts never make the same text.
    return loadCrypto().hash('sha256', `${this.#settings}\n${content}\n${referenced}`, 'base64url');
  }

  #textOfReferenced(content: string): string | undefined {
    const hasNames = namingKeywords.test(content) && namingKeywords.test(content.replace(knownDialects, ''));
    if (!this.#isPlain || hasNames) return this.#textOfAll();
    const names = new Set<string>();
    if (!this.#collect(content, names)) return this.#textOfAll();
    const texts = [...names].sort().map((name) => this.#textOf(name));
    return texts.includes(undefined) ? undefined : texts.join('\n');
  }

  /** Adds the shared schemas that a text refers to; false if a reference is not the name of a shared schema. */
  #collect(content: string, names: Set<string>): boolean {
    for (const [, written] of content.matchAll(references)) {
      const reference = JSON.parse(`"${written}"`) as string;
      const name = reference.split('#', 1)[0]!;
      if (name === '' || names.has(name)) continue;
      if (!Object.hasOwn(this.#shared, name)) return false;
      names.add(name);
      if (!this.#collect(this.#textOf(name) ?? '', names)) return false;
    }
    return true;
  }

  #textOf(name: string): string | undefined {
    if (!this.#texts.has(name)) this.#texts.set(name, contentKey([name, this.#shared[name]]));
    return this.#texts.get(name);
  }

  #textOfAll(): string | undefined {
    this.#allText ??= contentKey(Object.entries(this.#shared));
    return this.#allText;
  }
}

let versions: Readonly<Record<string, string>> | undefined;

/** The versions of the packages that decide what is compiled. */
function readVersions(): Readonly<Record<string, string>> {
  versions ??= { ambit: version, ...engineVersions() };
  return versions;
}

/** Returns the text of an ES module that imports nothing. */
export function writeArtifact(sections: readonly ArtifactSection[]): string {
  const source = new ValidatorSource(externals);
  const validators = new Map<string, string>();
  const serializers = new Map<string, string>();
  for (const section of sections) {
    const { part, options, shared } = section.settings;
    if (part === 'validators') {
      const keys = newKeys(section, validators);
      if (keys.size > 0 && !mayGenerateCode()) throw new CodeGenerationForbidden('a schema');
      const numbers = source.add(shared, toValidatorOptions(options as EngineOptions), keys.keys());
      for (const [content, key] of keys) validators.set(key, String(numbers.get(content)));
    } else {
      const write = programWriter(shared, (options as AjvOptions).dialect);
      for (const [content, key] of newKeys(section, serializers)) serializers.set(key, write(content));
    }
  }
  const builtWith = readVersions();
  return `// Written by compileSchemas of ambit ${builtWith.ambit}. Do not edit: run it again.
export default {
builtWith:${JSON.stringify(builtWith)},
validators:${asObject(validators)},
modules:[
${source.modules.join(',\n')}
],
serializers:${asObject(serializers)}
};
`;
}

/**
 * Returns the keys, by content, of the schemas that an artifact can contain and does not contain yet, because engines may have the same
 * schemas.
 */
function newKeys(section: ArtifactSection, known: ReadonlyMap<string, string>): Map<string, string> {
  const keys = new Map<string, string>();
  for (const content of section.contents) {
    const key = keyOf(section, content);
    if (key !== undefined && !known.has(key)) keys.set(content, key);
  }
  return keys;
}

function asObject(entries: ReadonlyMap<string, string>): string {
  return `{\n${[...entries].map(([key, code]) => `"${key}":${code}`).join(',\n')}\n}`;
}
