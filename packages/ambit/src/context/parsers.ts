/** Owns the body parsers visible in a context: by media type, by regular expression, and the catch-all `*`. */
import { createRequire } from 'node:module';
import { lazyModule } from '../shared/lazy-module.ts';
import { type MediaType, parseMediaType } from '../shared/media-type.ts';
import {
  JsonBodyEmpty,
  JsonBodyInvalid,
  ParserAfterStart,
  ParserAlreadyPresent,
  ParserNotFunction,
  ParserParseAsInvalid,
  ParserTypeEmpty,
  ParserTypeInvalid,
} from '../types/errors.ts';
import type { BodyParser } from '../types/plan.ts';
import { type CollectedParser, type PoisoningAction, poisonProblem } from '../types/request.ts';
import { warnLooseMediaTypePattern } from '../types/warnings.ts';
import type { ContextNode } from './context-node.ts';
import { type ContextMethods, changeContext, declareOnce, define, nodeOf } from './definitions.ts';
import { checkSpelling } from './options/check-options.ts';

const require = createRequire(import.meta.url);

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

interface ParserOptions {
  parseAs?: 'string' | 'buffer';
  bodyLimit?: number;
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

export const parserMethods: ContextMethods = {
  addContentTypeParser(mediaTypes: unknown, optionsOrParser: unknown, parser?: unknown): object {
    return changeParsers(this, 'addContentTypeParser', (node) =>
      addParser(node, mediaTypes, optionsOrParser, parser),
    );
  },

  hasContentTypeParser(mediaType: string | RegExp): boolean {
    return nodeOf(this).parsers.has(mediaType);
  },

  removeContentTypeParser(mediaTypes: string | RegExp | (string | RegExp)[]): void {
    changeParsers(this, 'removeContentTypeParser', (node) => {
      for (const type of [mediaTypes].flat()) {
        node.parsers.remove(type);
        define(node, 'removedParser', String(type), undefined);
      }
    });
  },

  removeAllContentTypeParsers(): void {
    changeParsers(this, 'removeAllContentTypeParsers', (node) => {
      node.parsers.removeAll();
      define(node, 'removedParser', 'all', undefined);
    });
  },

  getDefaultJsonParser(onProto: PoisoningAction, onConstructor: PoisoningAction): CollectedParser<string> {
    return asParser(makeJsonReader(onProto, onConstructor));
  },

  get defaultTextParser(): CollectedParser<string> {
    return defaultTextParser;
  },
};

function changeParsers(context: object, call: string, change: (node: ContextNode) => void): object {
  return changeContext(context, call, change, (call) => new ParserAfterStart(call));
}

/** Options are optional. Parsers are called with their context as `this`. */
function addParser(node: ContextNode, mediaTypes: unknown, optionsOrParser: unknown, parser: unknown): void {
  const isParser = typeof optionsOrParser === 'function';
  const { compatibility, options: appOptions } = node.app;
  const options = (isParser ? {} : (optionsOrParser ?? {})) as ParserOptions;
  if (typeof options === 'object')
    checkSpelling(options, { known: ['parseAs', 'bodyLimit'] }, 'addContentTypeParser', compatibility);
  const userParser = isParser ? optionsOrParser : parser;
  const parse = typeof userParser === 'function' ? userParser.bind(node.api) : userParser;
  for (const type of [mediaTypes].flat()) {
    const name = String(type).toLowerCase();
    declareOnce(
      node,
      (known) => known.kind === 'parser' && String(known.name).toLowerCase() === name,
      () => node.parsers.add(type, options, parse, appOptions.bodyLimit, !compatibility.checksDeclarations),
    );
    define(node, 'parser', String(type), userParser);
    // Such a pattern can match in the middle of the value: a parameter of another media type may match it.
    if (type instanceof RegExp && !type.source.startsWith('^') && !type.source.includes(';?'))
      warnLooseMediaTypePattern(compatibility.messages, type.source);
  }
}

/** Parses a body synchronously, or throws an error of the catalogue. */
type TextReader = (text: string) => unknown;

export const readText: TextReader = (text) => text;

/** Creates the default JSON reader. The actions say what to do with `__proto__` and `constructor.prototype` in a body. */
export function makeJsonReader(protoAction: PoisoningAction, constructorAction: PoisoningAction): TextReader {
  const options = { protoAction, constructorAction };
  return (text) => {
    if (text.length === 0) throw new JsonBodyEmpty();
    try {
      return mayPoison(text) ? loadSecureJson().parse(text, options) : JSON.parse(text);
    } catch {
      throw isJson(text) ? new JsonBodyInvalid(`Body ${poisonProblem}`) : new JsonBodyInvalid();
    }
  };
}

type SecureParse = (
  text: string,
  options: { protoAction: PoisoningAction; constructorAction: PoisoningAction },
) => unknown;
const loadSecureJson = lazyModule<{ parse: SecureParse }>(() => require('secure-json-parse'));

function isJson(text: string): boolean {
  try {
    JSON.parse(String(text).replace(/^\uFEFF/, ''));
    return true;
  } catch {
    return false;
  }
}

/**
 * The keys that can change a prototype, spelled without escapes. They are whole words, because V8 searches for them faster than for a
 * common start.
 */
const poisonousKey = /"__proto__"|"constructor"/;
const byteOrderMark = 0xfeff;

/**
 * Whether a JSON text must be parsed by secure-json-parse: if it has a poisonous key, has escapes, with which such a key may be spelled, or
 * starts with a byte order mark. This check is here because secure-json-parse itself searches every text twice, with expressions that allow
 * for escapes, which takes three times as long. An application may call our parser with bytes: they go to secure-json-parse, too.
 */
function mayPoison(text: string): boolean {
  if (typeof text !== 'string' || text.charCodeAt(0) === byteOrderMark) return true;
  return text.includes('\\') || poisonousKey.test(text);
}

/** Turns a reader into a parser with a callback, like the parsers that applications add. */
function asParser(read: TextReader): CollectedParser<string> {
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

const defaultTextParser = asParser(readText);
