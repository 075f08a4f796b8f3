/** Reads bodies that are text: the default parsers for JSON and for plain text. */

import { lazyModule, require } from '../shared/lazy-module.ts';
import { JsonBodyEmpty, JsonBodyInvalid } from '../types/errors.ts';
import { type CollectedParser, type PoisoningAction, poisonProblem } from '../types/request.ts';

type SecureParse = (
  text: string,
  options: { protoAction: PoisoningAction; constructorAction: PoisoningAction },
) => unknown;
const loadSecureJson = lazyModule<{ parse: SecureParse }>(() => require('secure-json-parse'));

/** Parses a body synchronously, or throws an error of the catalogue. */
export type TextReader = (text: string) => unknown;

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

export const readText: TextReader = (text) => text;

/** Turns a reader into a parser with a callback, like the parsers that applications add. */
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
