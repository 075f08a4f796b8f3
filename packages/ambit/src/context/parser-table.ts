/** Owns the body parsers visible in a context: by media type, by regular expression, and the catch-all `*`. */

import { type MediaType, parseMediaType } from '../shared/media-type.ts';
import {
  ParserAlreadyPresent,
  ParserNotFunction,
  ParserParseAsInvalid,
  ParserTypeEmpty,
  ParserTypeInvalid,
} from '../types/errors.ts';
import type { BodyParser } from '../types/plan.ts';
import { asParser, type TextReader } from './text-readers.ts';

export interface ParserOptions {
  parseAs?: 'string' | 'buffer';
  bodyLimit?: number;
}

/** The parsers of a context: by media type, by pattern with the last one first, and for `*`. */
interface Parsers {
  readonly byType: Map<string, BodyParser>;
  byPattern: { pattern: RegExp; parser: BodyParser }[];
  any: BodyParser | undefined;
}

const builtIn = new WeakSet<BodyParser>();

export class ParserTable {
  #parsers: Parsers;
  /** Whether another table may use the same parsers: they must be copied before a change. */
  #isShared: boolean;

  /** A child begins with the parsers that its parent has now. */
  constructor(parent?: ParserTable) {
    this.#isShared = parent !== undefined;
    if (parent === undefined) this.#parsers = { byType: new Map(), byPattern: [], any: undefined };
    else {
      parent.#isShared = true;
      this.#parsers = parent.#parsers;
    }
  }

  addBuiltIn(mediaType: string, limitBytes: number, read: TextReader): void {
    const parse = asParser(read) as BodyParser['parse'];
    const parser: BodyParser = { collectAs: 'string', limitBytes, parse, read };
    builtIn.add(parser);
    this.#parsers.byType.set(mediaType, parser);
  }

  /** @param replacesAny Whether a second parser for `*` takes the place of the first. */
  add(
    type: unknown,
    { parseAs, bodyLimit }: ParserOptions,
    parse: unknown,
    defaultLimitBytes: number,
    replacesAny: boolean,
  ): void {
    if (typeof type !== 'string' && !(type instanceof RegExp)) throw new ParserTypeInvalid();
    if (typeof type === 'string' && type.trim() === '') throw new ParserTypeEmpty();
    if (typeof parse !== 'function') throw new ParserNotFunction();
    const key = parserKey(type);
    const existing = this.#find(key);
    if (existing !== undefined && !builtIn.has(existing) && !(key === '*' && replacesAny))
      throw new ParserAlreadyPresent(key);
    if (parseAs !== undefined && parseAs !== 'string' && parseAs !== 'buffer')
      throw new ParserParseAsInvalid(parseAs);
    const parsers = this.#writable();
    const parser: BodyParser = {
      collectAs: parseAs,
      limitBytes: bodyLimit || defaultLimitBytes,
      parse: parse as BodyParser['parse'],
      read: undefined,
    };
    if (key === '*') parsers.any = parser;
    else if (typeof key === 'string') parsers.byType.set(key, parser);
    else parsers.byPattern.unshift({ pattern: key, parser });
  }

  has(type: unknown): boolean {
    return this.#find(parserKey(type, true)) !== undefined;
  }

  remove(type: unknown): void {
    const key = parserKey(type, true);
    const parsers = this.#writable();
    if (key === '*') parsers.any = undefined;
    else if (typeof key === 'string') parsers.byType.delete(key);
    else parsers.byPattern = parsers.byPattern.filter(({ pattern }) => String(pattern) !== String(key));
  }

  removeAll(): void {
    this.#parsers = { byType: new Map(), byPattern: [], any: undefined };
    this.#isShared = false;
  }

  // HOT: once per request with a body.
  /**
   * Finds the most specific parser: first by the whole value, then by its media type, then by the pattern that was added last, then `*`.
   */
  match(mediaType: MediaType): BodyParser | undefined {
    const { byType, byPattern, any } = this.#parsers;
    if (mediaType.essence === undefined) return any;
    const exact = byType.get(mediaType.text) ?? byType.get(mediaType.essence);
    if (exact !== undefined) return exact;
    for (const { pattern, parser } of byPattern) {
      // A pattern with the flag `g` or `y` starts where its last match ended.
      pattern.lastIndex = 0;
      if (pattern.test(mediaType.text)) return parser;
    }
    return any;
  }

  #find(key: string | RegExp): BodyParser | undefined {
    const { byType, byPattern, any } = this.#parsers;
    if (key === '*') return any;
    if (typeof key === 'string') return byType.get(key);
    return byPattern.find(({ pattern }) => String(pattern) === String(key))?.parser;
  }

  #writable(): Parsers {
    if (this.#isShared) {
      const { byType, byPattern, any } = this.#parsers;
      this.#parsers = { byType: new Map(byType), byPattern: byPattern.slice(), any };
      this.#isShared = false;
    }
    return this.#parsers;
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
