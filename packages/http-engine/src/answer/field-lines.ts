/** Writes the header fields of responses as lines, and knows which fields the engine can write itself. */
import { validateHeaderName, validateHeaderValue } from 'node:http';

/** The value of a field of a response. A list is sent as several lines of that name. */
export type FieldValue = string | number | readonly string[];
/** The fields of a response. Names may be in upper or lower case. */
export interface AnswerFields {
  readonly [name: string]: FieldValue | undefined;
}

/**
 * How the engine treats a field. `plain`: one line. `length`, `date`: the engine must know whether the field is set.
 * `cookies`: one line for each value of a list. `node-only`: node must write the response, because the field affects the
 * connection or the transfer, or because node writes it in its own way.
 */
export type FieldKind = 'plain' | 'length' | 'date' | 'cookies' | 'node-only';

const kinds: Readonly<Record<string, FieldKind>> = {
  __proto__: null as never,
  'content-length': 'length',
  date: 'date',
  'set-cookie': 'cookies',
  connection: 'node-only',
  'transfer-encoding': 'node-only',
  'keep-alive': 'node-only',
  trailer: 'node-only',
  expect: 'node-only',
};

const nonAscii = /[^\t\x20-\x7e]/;

/** A valid field name, and the last line that was written for it, because most responses repeat it. */
export class FieldName {
  readonly kind: FieldKind;
  readonly #name: string;
  /** Whether the last line contains only ASCII. */
  isAscii = true;
  #value: string | number | undefined = undefined;
  #line = '';

  /** @throws node's own error if the name is invalid. */
  constructor(name: string) {
    validateHeaderName(name);
    this.#name = name;
    this.kind = kinds[name.toLowerCase()] ?? 'plain';
  }

  // HOT: once per field of a response.
  /**
   * Returns the line of a value, with CRLF at its end.
   *
   * @throws node's own error if the value is invalid.
   */
  writeLine(value: string | number): string {
    if (this.#value === value) return this.#line;
    validateHeaderValue(this.#name, value as string);
    this.isAscii = typeof value === 'number' || !nonAscii.test(value);
    const line = `${this.#name}: ${value}\r\n`;
    // A long value is rarely repeated, so keeping it would waste memory.
    if (line.length <= 200) {
      this.#value = value;
      this.#line = line;
    } else this.#value = undefined;
    return line;
  }
}

const names: Map<string, FieldName> = new Map();
const maxNames = 500;

// HOT: once per field of a response.
/** @throws node's own error if the name is invalid. */
export function fieldName(name: string): FieldName {
  const cached = names.get(name);
  if (cached !== undefined) return cached;
  const created = new FieldName(name);
  // The limit keeps an application that invents names from filling the memory.
  if (names.size < maxNames) names.set(name, created);
  return created;
}
