/** Tells what is compiled of a schema by one short key: its content, all that it reaches, and the settings of the engine. */

import type { JsonSchema } from '../../contract/compiler.ts';
import { lazyModule } from '../../shared/lazy-module.ts';
import { require } from '../../shared/require.ts';
import { contentKey } from '../content-key.ts';

const loadCrypto = lazyModule<typeof import('node:crypto')>(() => require('node:crypto'));

/** Keywords that give names of their own, or lead somewhere by another way than a name. */
const namingKeywords = /"\$(?:id|schema|anchor|dynamic[A-Z]\w*|recursive[A-Z]\w*)":/;
/** The one value of them that says nothing new. */
const draft7 = /"\$schema":"http:\/\/json-schema\.org\/draft-07\/schema#?"/g;
/** Found in text, so also where it is data and no keyword: then more counts as reached than has to. */
const references = /"\$ref":"((?:[^"\\]|\\.)*)"/g;

export class SchemaKeys {
  readonly #settings: string;
  readonly #shared: Readonly<Record<string, JsonSchema>>;
  readonly #isPlain: boolean;
  readonly #texts = new Map<string, string | undefined>();
  #everything: string | undefined;

  /**
   * @param settings What decides beside schemas, as text of one line.
   * @param isPlain Whether shared schemas are known to be sound, and to refer to one another by their whole names only. Where they
   *   are not, each of them may decide over any schema.
   */
  constructor(settings: string, shared: Readonly<Record<string, JsonSchema>>, isPlain: boolean) {
    this.#settings = settings;
    this.#shared = shared;
    this.#isPlain = isPlain;
  }

  /** The key of a schema given as text; `undefined` where something it reaches cannot be told by text. */
  keyOf(content: string): string | undefined {
    const reached = this.#reach(content);
    if (reached === undefined) return undefined;
    // Texts of JSON have no line breaks: no two triples make the same text.
    return loadCrypto().hash('sha256', `${this.#settings}\n${content}\n${reached}`, 'base64url');
  }

  #reach(content: string): string | undefined {
    const hasNames = namingKeywords.test(content) && namingKeywords.test(content.replace(draft7, ''));
    if (!this.#isPlain || hasNames) return this.#tellEverything();
    const names = new Set<string>();
    if (!this.#collect(content, names)) return this.#tellEverything();
    const texts = [...names].sort().map((name) => this.#textOf(name));
    return texts.includes(undefined) ? undefined : texts.join('\n');
  }

  /** Adds the shared schemas that a text leads to; false when a reference is none of their names. */
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

  #tellEverything(): string | undefined {
    this.#everything ??= contentKey(Object.entries(this.#shared));
    return this.#everything;
  }
}
