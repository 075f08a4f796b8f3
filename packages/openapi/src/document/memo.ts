/** Caches described parts, because the routes of an application often have equal declarations. */
import { isPlainObject } from '../json.ts';
import { type JsonPattern, matchesPattern, patternOf } from './json-pattern.ts';

interface Recent<Value> {
  readonly patterns: readonly JsonPattern[];
  readonly value: Value;
}

/** How many values are compared directly before the text of the parts is created. */
const maxRecent = 8;

/** A cache of values by the JSON from which they are created. Equal JSON is the same key, even from different objects. */
export class Memo<Value> {
  readonly #numbers: JsonNumbers;
  readonly #values = new Map<string, Value>();
  /** Values that were used more than once. A comparison with their patterns takes less time than creating a text. */
  readonly #recent: Recent<Value>[] = [];

  constructor(numbers: JsonNumbers) {
    this.#numbers = numbers;
  }

  /**
   * @param parts Values that may be JSON; `undefined` for an absent one.
   * @param create Creates the value from the parts. Everything else that it reads must be the same for each call.
   */
  get(parts: readonly unknown[], create: () => Value): Value {
    for (const { patterns, value } of this.#recent) if (matchesAll(parts, patterns)) return value;
    let key = '';
    for (const part of parts) {
      const number = this.#numbers.of(part);
      if (number === notJson) return create();
      key += ` ${number}`;
    }
    const cached = this.#values.get(key);
    if (cached === undefined) {
      const value = create();
      this.#values.set(key, value);
      return value;
    }
    if (this.#recent.unshift({ patterns: parts.map(patternOf), value: cached }) > maxRecent)
      this.#recent.pop();
    return cached;
  }
}

function matchesAll(parts: readonly unknown[], patterns: readonly JsonPattern[]): boolean {
  if (parts.length !== patterns.length) return false;
  for (let i = 0; i < parts.length; i++) if (!matchesPattern(parts[i], patterns[i]!)) return false;
  return true;
}

const notJson = -1;

/** Gives each JSON text a number. Values with the same text have the same number. */
export class JsonNumbers {
  readonly #byObject = new Map<unknown, number>();
  readonly #byText = new Map<string, number>();

  /** Returns `notJson` for a value that is not JSON, such as the schema of a library. */
  of(value: unknown): number {
    let number = this.#byObject.get(value);
    if (number === undefined) {
      number = value === undefined || isJson(value, 0) ? this.#numberOf(JSON.stringify(value)) : notJson;
      this.#byObject.set(value, number);
    }
    return number;
  }

  #numberOf(text: string): number {
    let number = this.#byText.get(text);
    if (number === undefined) {
      number = this.#byText.size;
      this.#byText.set(text, number);
    }
    return number;
  }
}

/** The limit of depth. Schemas are rarely deeper; a deeper or cyclic value is described each time. */
const maxDepth = 64;

/** Whether `JSON.parse` could have returned the value. Then its text contains everything. */
function isJson(value: unknown, depth: number): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth > maxDepth) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (!isJson(item, depth + 1)) return false;
    return true;
  }
  if (!isPlainObject(value)) return false;
  for (const name in value) if (!isJson(value[name], depth + 1)) return false;
  return true;
}
