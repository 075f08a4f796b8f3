/** Owns the body parsers visible in a context: by media type, by regular expression, and the catch-all `*`. */

import {
  ParserAlreadyPresent,
  ParserNotFunction,
  ParserParseAsInvalid,
  ParserTypeEmpty,
  ParserTypeInvalid,
} from '../contract/errors.ts';
import type { BodyParser } from '../contract/plan.ts';
import { type MediaType, parseMediaType } from '../shared/media-type.ts';
import { asParser, type TextReader } from './text-readers.ts';

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

  /** A child uses its parent's parsers until it changes something: then it gets a copy of its own. */
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
    const existing = this.#find(key);
    if (existing !== undefined && !builtIn.has(existing)) throw new ParserAlreadyPresent(key);
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
  /**
   * Finds the most specific parser: first by the whole value, then by its media type, then by the pattern that was added last, then `*`.
   */
  match(mediaType: MediaType): BodyParser | undefined {
    const table = this.#source;
    if (mediaType.essence === undefined) return table.#any;
    const exact = table.#byType.get(mediaType.text) ?? table.#byType.get(mediaType.essence);
    if (exact !== undefined) return exact;
    for (const { pattern, parser } of table.#byPattern) {
      // A pattern with the flag `g` or `y` starts where its last match ended.
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
