/** Makes the key of a schema: a hash of its content, of all schemas that it reaches, and of the settings of the engine. */

import type { JsonSchema } from '../../contract/compiler.ts';
import { lazyModule, require } from '../../shared/lazy-module.ts';
import { contentKey } from '../schema-content.ts';

const loadCrypto = lazyModule<typeof import('node:crypto')>(() => require('node:crypto'));

/** Keywords that define names, or refer to schemas in another way than by name. */
const namingKeywords = /"\$(?:id|schema|anchor|dynamic[A-Z]\w*|recursive[A-Z]\w*)":/;
/** The only values of them that change nothing: the dialects that the engines know. */
const knownDialects =
  /"\$schema":"(?:http:\/\/json-schema\.org\/draft-07|https:\/\/json-schema\.org\/draft\/2020-12)\/schema#?"/g;
/** Found in the text, also where it is data instead of a keyword: then the key covers more schemas than necessary. */
const references = /"\$ref":"((?:[^"\\]|\\.)*)"/g;

export class SchemaKeys {
  readonly #settings: string;
  readonly #shared: Readonly<Record<string, JsonSchema>>;
  readonly #isPlain: boolean;
  readonly #texts = new Map<string, string | undefined>();
  #everything: string | undefined;

  /**
   * @param settings What else decides the result, as text of one line.
   * @param isPlain Whether all shared schemas are certain to compile, and refer to one another by their whole names only. If not, each of
   *   them may affect any schema.
   */
  constructor(settings: string, shared: Readonly<Record<string, JsonSchema>>, isPlain: boolean) {
    this.#settings = settings;
    this.#shared = shared;
    this.#isPlain = isPlain;
  }

  /** The key of a schema, given as text; `undefined` if text cannot express one of the schemas that it reaches. */
  keyOf(content: string): string | undefined {
    const reached = this.#reach(content);
    if (reached === undefined) return undefined;
    // JSON text has no line breaks, so two different triples never make the same text.
    return loadCrypto().hash('sha256', `${this.#settings}\n${content}\n${reached}`, 'base64url');
  }

  #reach(content: string): string | undefined {
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
    this.#everything ??= contentKey(Object.entries(this.#shared));
    return this.#everything;
  }
}
