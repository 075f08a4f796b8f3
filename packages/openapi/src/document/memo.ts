/**
 * Remembers what was described before: the routes of an application say the same things again and again. What is remembered stands in the
 * document more than once, as one object; `unshare` makes copies.
 */
import { isPlainObject } from '../json.ts';

/** Values by the JSON that they were made of: JSON that says the same is one key, whichever object it is. */
export class Memo<Value> {
  readonly #numbers: JsonNumbers;
  readonly #values = new Map<string, Value>();

  constructor(numbers: JsonNumbers) {
    this.#numbers = numbers;
  }

  /** @param make Makes the value of the parts; all else that it depends on is the same for each call. */
  get(parts: readonly unknown[], make: () => Value): Value {
    let key = '';
    for (const part of parts) {
      const number = this.#numbers.of(part);
      if (number === notJson) return make();
      key += ` ${number}`;
    }
    let value = this.#values.get(key);
    if (value === undefined) {
      value = make();
      this.#values.set(key, value);
    }
    return value;
  }
}

const notJson = -1;

/** Numbers for JSON: what says the same has the same number. */
export class JsonNumbers {
  readonly #byObject = new Map<unknown, number>();
  readonly #byText = new Map<string, number>();

  /** `notJson` for what is not JSON, such as the schema of a library. */
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

/** Schemas are not as deep: what is deeper, or has no end, is described each time. */
const maxDepth = 64;

/** Whether a value is what `JSON.parse` could have returned, so that its text says all of it. */
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
