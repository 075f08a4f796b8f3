/** Reads bodies that are text: the default parsers for JSON and for plain text. */
import { JsonBodyEmpty, JsonBodyInvalid } from '../contract/errors.ts';
import type { CollectedParser, PoisoningAction } from '../contract/parsers.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';

type SecureParse = (
  text: string,
  options: { protoAction: PoisoningAction; constructorAction: PoisoningAction },
) => unknown;
const loadSecureJson = lazyModule<{ parse: SecureParse }>(() => require('secure-json-parse'));

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
