/** Computes the key of a schema: a hash of its content, of all schemas that it refers to, and of the settings of the engine. */

import { contentKey } from '@ambit/json-schema';
import { lazyModule, require } from '../../shared/lazy-module.ts';
import type { JsonSchema } from '../../types/compilers.ts';

const loadCrypto = lazyModule<typeof import('node:crypto')>(() => require('node:crypto'));

/** Keywords that define names, or that refer to schemas in another way than by name. */
const namingKeywords = /"\$(?:id|schema|anchor|dynamic[A-Z]\w*|recursive[A-Z]\w*)":/;
/** The only values of these keywords that have no effect on references: the dialects that the engines know. */
const knownDialects =
  /"\$schema":"(?:http:\/\/json-schema\.org\/draft-07|https:\/\/json-schema\.org\/draft\/2020-12)\/schema#?"/g;
/** References are searched in the text. If one is data instead of a keyword, the key includes more schemas than necessary. */
const references = /"\$ref":"((?:[^"\\]|\\.)*)"/g;

export class SchemaKeys {
  readonly #settings: string;
  readonly #shared: Readonly<Record<string, JsonSchema>>;
  readonly #isPlain: boolean;
  readonly #texts = new Map<string, string | undefined>();
  #allText: string | undefined;

  /**
   * @param settings What else decides what is compiled, as text in one line.
   * @param isPlain Whether all shared schemas are certain to compile, and refer to one another only by their full names. If not, each of
   *   them may affect any schema.
   */
  constructor(settings: string, shared: Readonly<Record<string, JsonSchema>>, isPlain: boolean) {
    this.#settings = settings;
    this.#shared = shared;
    this.#isPlain = isPlain;
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
