/** Owns the body parsers visible in a context: by media type, by regular expression, and the catch-all `*`. */
import { createRequire } from 'node:module';
import { lazyModule } from '../shared/lazy-module.ts';
import { type MediaType, parseMediaType } from '../shared/media-type.ts';
import { didYouMean } from '../shared/nearest-name.ts';
import { attempt } from '../shared/thrown-values.ts';
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
import { type ContextMethods, changeContext, type Definition, define, nodeOf } from './definitions.ts';
import { checkSpelling, typeOf } from './options/check-options.ts';

const require = createRequire(import.meta.url);

export class ParserTable {
  /** By media type, and for `*`. */
  readonly #byType: Map<string, BodyParser>;
  /** The last one first. */
  #byPattern: { pattern: RegExp; parser: BodyParser }[];

  /** A child begins with the parsers that its parent has now. */
  constructor(parent?: ParserTable) {
    this.#byType = new Map(parent === undefined ? [] : parent.#byType);
    this.#byPattern = parent === undefined ? [] : [...parent.#byPattern];
  }

  addBuiltIn(mediaType: string, limitBytes: number, read: TextReader): void {
    const parse = asParser(read) as BodyParser['parse'];
    this.#byType.set(mediaType, { collectAs: 'string', limitBytes, parse, read });
  }

  /** @param replacesAny Whether a second parser for `*` takes the place of the first. */
  add(
    type: unknown,
    { parseAs, bodyLimit }: ParserOptions,
    parse: unknown,
    defaultLimitBytes: number,
    replacesAny: boolean,
  ): void {
    if (typeof type !== 'string' && !(type instanceof RegExp)) throw new ParserTypeInvalid(typeOf(type));
    if (typeof type === 'string' && type.trim() === '') throw new ParserTypeEmpty();
    if (typeof parse !== 'function') throw new ParserNotFunction();
    const key = parserKey(type);
    const existing = this.#find(key);
    const isReplaceable = existing === undefined || existing.read !== undefined;
    if (!isReplaceable && !(key === '*' && replacesAny)) throw new ParserAlreadyPresent(key);
    if (parseAs !== undefined && parseAs !== 'string' && parseAs !== 'buffer')
      throw ParserParseAsInvalid.at({ hint: didYouMean(String(parseAs), ['string', 'buffer']) }, parseAs);
    const parser: BodyParser = {
      collectAs: parseAs,
      limitBytes: bodyLimit || defaultLimitBytes,
      parse: parse as BodyParser['parse'],
      read: undefined,
    };
    if (typeof key === 'string') this.#byType.set(key, parser);
    else this.#byPattern.unshift({ pattern: key, parser });
  }

  has(type: unknown): boolean {
    return this.#find(parserKey(type, true)) !== undefined;
  }

  remove(type: unknown): void {
    const key = parserKey(type, true);
    if (typeof key === 'string') this.#byType.delete(key);
    else this.#byPattern = this.#byPattern.filter(({ pattern }) => String(pattern) !== String(key));
  }

  removeAll(): void {
    this.#byType.clear();
    this.#byPattern = [];
  }

  // HOT: once per request with a body.
  /**
   * Finds the most specific parser: first by the whole value, then by its media type, then by the pattern that was added last, then `*`.
   */
  match({ text, essence }: MediaType): BodyParser | undefined {
    if (essence === undefined) return this.#byType.get('*');
    const exact = this.#byType.get(text) ?? this.#byType.get(essence);
    if (exact !== undefined) return exact;
    for (const { pattern, parser } of this.#byPattern) {
      // A pattern with the flag `g` or `y` starts where its last match ended.
      pattern.lastIndex = 0;
      if (pattern.test(text)) return parser;
    }
    return this.#byType.get('*');
  }

  #find(key: string | RegExp): BodyParser | undefined {
    if (typeof key === 'string') return this.#byType.get(key);
    return this.#byPattern.find(({ pattern }) => String(pattern) === String(key))?.parser;
  }
}

interface ParserOptions {
  parseAs?: 'string' | 'buffer';
  bodyLimit?: number;
}

/** The canonical media type, `*`, or the pattern. */
function parserKey(type: unknown, isLenient = false): string | RegExp {
  if (type instanceof RegExp) return type;
  if (typeof type !== 'string') throw new ParserTypeInvalid(typeOf(type));
  const trimmed = type.trim();
  if (trimmed === '*') return '*';
  const { text } = parseMediaType(trimmed);
  if (text === '' && !isLenient) throw new ParserTypeInvalid(`'${type}'`);
  return text;
}

export const parserMethods: ContextMethods = {
  addContentTypeParser(mediaTypes, optionsOrParser, parser) {
    return changeParsers(this, 'addContentTypeParser', (node) =>
      addParser(node, mediaTypes, optionsOrParser, parser),
    );
  },

  hasContentTypeParser(mediaType) {
    return nodeOf(this).parsers.has(mediaType);
  },

  removeContentTypeParser(mediaTypes) {
    changeParsers(this, 'removeContentTypeParser', (node) => {
      for (const type of [mediaTypes].flat()) {
        node.parsers.remove(type);
        define(node, 'removedParser', String(type), undefined);
      }
    });
  },

  removeAllContentTypeParsers() {
    changeParsers(this, 'removeAllContentTypeParsers', (node) => {
      node.parsers.removeAll();
      define(node, 'removedParser', 'all', undefined);
    });
  },

  getDefaultJsonParser(onProto, onConstructor) {
    return asParser(makeJsonReader(onProto, onConstructor));
  },

  get defaultTextParser() {
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
    checkSpelling(options, ['parseAs', 'bodyLimit'], 'addContentTypeParser', compatibility);
  const userParser = isParser ? optionsOrParser : parser;
  const parse = typeof userParser === 'function' ? userParser.bind(node.api) : userParser;
  for (const type of [mediaTypes].flat()) {
    const name = String(type).toLowerCase();
    const add = (): void =>
      node.parsers.add(type, options, parse, appOptions.bodyLimit, !compatibility.checksDeclarations);
    const isSame = (known: Definition): boolean =>
      known.kind === 'parser' && String(known.name).toLowerCase() === name;
    define(node, 'parser', String(type), userParser, add, isSame);
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
  return attempt(() => JSON.parse(String(text).replace(/^\uFEFF/, ''))) !== undefined;
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
