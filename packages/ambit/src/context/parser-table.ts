/** Owns the body parsers visible in a context: by media type, by regular expression, and the catch-all `*`. */

import {
  JsonBodyEmpty,
  JsonBodyInvalid,
  ParserAlreadyPresent,
  ParserNotFunction,
  ParserParseAsInvalid,
  ParserTypeEmpty,
  ParserTypeInvalid,
} from '../contract/errors.ts';
import type { CollectedParser, PoisoningAction } from '../contract/parsers.ts';
import type { BodyParser } from '../contract/plan.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import { type MediaType, parseMediaType } from '../shared/media-type.ts';

type SecureParse = (
  text: string,
  options: { protoAction: PoisoningAction; constructorAction: PoisoningAction },
) => unknown;
const loadSecureJson = lazyModule<{ parse: SecureParse }>(() => require('secure-json-parse'));

export interface ParserOptions {
  parseAs?: 'string' | 'buffer';
  bodyLimit?: number;
}

const builtIn = new WeakSet<BodyParser>();

export class ParserTable {
  #parent: ParserTable | undefined;
  #byType = new Map<string, BodyParser>();
  #byPattern: { pattern: RegExp; parser: BodyParser }[] = [];
  #any: BodyParser | undefined;

  /** A child reads its parent's parsers until it changes something: then it has its own copy. */
  constructor(parent?: ParserTable) {
    this.#parent = parent;
  }

  addBuiltIn(mediaType: string, limitBytes: number, read: TextReader): void {
    const parse = asParser(read) as BodyParser['parse'];
    const parser: BodyParser = { collectAs: 'string', limitBytes, parse, read };
    builtIn.add(parser);
    this.#byType.set(mediaType, parser);
  }

  add(type: unknown, { parseAs, bodyLimit }: ParserOptions, parse: unknown, defaultLimitBytes: number): void {
    if (typeof type !== 'string' && !(type instanceof RegExp)) throw new ParserTypeInvalid();
    if (typeof type === 'string' && type.trim() === '') throw new ParserTypeEmpty();
    if (typeof parse !== 'function') throw new ParserNotFunction();
    const key = parserKey(type);
    const present = this.#find(key);
    if (present !== undefined && !builtIn.has(present)) throw new ParserAlreadyPresent(key);
    if (parseAs !== undefined && parseAs !== 'string' && parseAs !== 'buffer')
      throw new ParserParseAsInvalid(parseAs);
    this.#detach();
    const parser: BodyParser = {
      collectAs: parseAs,
      limitBytes: bodyLimit || defaultLimitBytes,
      parse: parse as BodyParser['parse'],
      read: undefined,
    };
    if (key === '*') this.#any = parser;
    else if (typeof key === 'string') this.#byType.set(key, parser);
    else this.#byPattern.unshift({ pattern: key, parser });
  }

  has(type: unknown): boolean {
    return this.#find(parserKey(type, true)) !== undefined;
  }

  remove(type: unknown): void {
    const key = parserKey(type, true);
    this.#detach();
    if (key === '*') this.#any = undefined;
    else if (typeof key === 'string') this.#byType.delete(key);
    else this.#byPattern = this.#byPattern.filter(({ pattern }) => String(pattern) !== String(key));
  }

  removeAll(): void {
    this.#parent = undefined;
    this.#byType = new Map();
    this.#byPattern = [];
    this.#any = undefined;
  }

  // HOT: once per request with a body.
  /** The most specific parser: the whole value, its media type, the latest pattern that matches, then `*`. */
  match(mediaType: MediaType): BodyParser | undefined {
    const table = this.#source;
    if (mediaType.essence === undefined) return table.#any;
    const exact = table.#byType.get(mediaType.text) ?? table.#byType.get(mediaType.essence);
    if (exact !== undefined) return exact;
    for (const { pattern, parser } of table.#byPattern) {
      // A pattern with the flag `g` or `y` remembers where it stopped.
      pattern.lastIndex = 0;
      if (pattern.test(mediaType.text)) return parser;
    }
    return table.#any;
  }

  /** The nearest table with parsers of its own. */
  get #source(): ParserTable {
    let table: ParserTable = this;
    while (table.#parent !== undefined) table = table.#parent;
    return table;
  }

  #find(key: string | RegExp): BodyParser | undefined {
    const table = this.#source;
    if (key === '*') return table.#any;
    if (typeof key === 'string') return table.#byType.get(key);
    return table.#byPattern.find(({ pattern }) => String(pattern) === String(key))?.parser;
  }

  #detach(): void {
    const source = this.#source;
    if (source === this) return;
    this.#byType = new Map(source.#byType);
    this.#byPattern = source.#byPattern.slice();
    this.#any = source.#any;
    this.#parent = undefined;
  }
}

/** The canonical media type, `*`, or the pattern. */
function parserKey(type: unknown, isLenient = false): string | RegExp {
  if (type instanceof RegExp) return type;
  if (typeof type !== 'string') throw new ParserTypeInvalid();
  const trimmed = type.trim();
  if (trimmed === '*') return '*';
  const { text } = parseMediaType(trimmed);
  if (text === '' && !isLenient) throw new ParserTypeInvalid();
  return text;
}

/** Parses a body on the spot, or throws an error of the catalogue. */
export type TextReader = (text: string) => unknown;

/** The default JSON reader, with what to do about `__proto__` and `constructor.prototype` in a body. */
export function makeJsonReader(protoAction: PoisoningAction, constructorAction: PoisoningAction): TextReader {
  const options = { protoAction, constructorAction };
  return (text) => {
    if (text.length === 0) throw new JsonBodyEmpty();
    try {
      return mayPoison(text) ? loadSecureJson().parse(text, options) : JSON.parse(text);
    } catch {
      throw new JsonBodyInvalid();
    }
  };
}

/** The keys that reach a prototype, spelled without escapes. V8 skips through a text for whole words, not for what begins alike. */
const poisonousKey = /"__proto__"|"constructor"/;
const byteOrderMark = 0xfeff;

/**
 * Whether a JSON text needs secure-json-parse: for keys that poison or may be spelled with escapes, or for a mark in front. By
 * itself it looks through every text twice, with expressions that allow for escapes, three times as long as this takes.
 * A parser made of ours may be given bytes, and leaves them to it.
 */
function mayPoison(text: string): boolean {
  if (typeof text !== 'string' || text.charCodeAt(0) === byteOrderMark) return true;
  return text.includes('\\') || poisonousKey.test(text);
}

export const readText: TextReader = (text) => text;

/** A reader in the form that applications add parsers in. */
export function asParser(read: TextReader): CollectedParser<string> {
  return function defaultParser(_request, body, done) {
    let parsed: unknown;
    try {
      parsed = read(body);
    } catch (error) {
      done(error as Error);
      return;
    }
    done(null, parsed);
  };
}
