/** Owns the header fields of responses as lines: their text, and which of them the engine writes itself. */
import { validateHeaderName, validateHeaderValue } from 'node:http';

/** The value of a field of a response. A list is sent as several lines of that name. */
export type FieldValue = string | number | readonly string[];
/** The fields of a response. Names may be in upper or lower case. */
export interface AnswerFields {
  readonly [name: string]: FieldValue | undefined;
}

/**
 * What a name means to the engine. `plain`: one line. `length`, `date`: the engine must know that the line is there.
 * `cookies`: one line for each value of a list. `nodes`: the field affects the connection or the transfer, or node
 * writes it in its own way.
 */
export type FieldKind = 'plain' | 'length' | 'date' | 'cookies' | 'nodes';

const kinds: Readonly<Record<string, FieldKind>> = {
  __proto__: null as never,
  'content-length': 'length',
  date: 'date',
  'set-cookie': 'cookies',
  connection: 'nodes',
  'transfer-encoding': 'nodes',
  'keep-alive': 'nodes',
  trailer: 'nodes',
  expect: 'nodes',
  'content-disposition': 'nodes',
};

const beyondAscii = /[^\t\x20-\x7e]/;

/** A valid name, and the line that was last written for it: most responses repeat it. */
export class FieldName {
  readonly kind: FieldKind;
  readonly #name: string;
  /** Whether the last line contains only ASCII. */
  isAscii = true;
  #value: string | number | undefined = undefined;
  #line = '';

  /** @throws node's own error if it is not a valid name. */
  constructor(name: string) {
    validateHeaderName(name);
    this.#name = name;
    this.kind = kinds[name.toLowerCase()] ?? 'plain';
  }

  // HOT: once per field of a response.
  /**
   * The line of a value, CRLF included.
   *
   * @throws node's own error if it is not a valid value.
   */
  writeLine(value: string | number): string {
    if (this.#value === value) return this.#line;
    validateHeaderValue(this.#name, value as string);
    this.isAscii = typeof value === 'number' || !beyondAscii.test(value);
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
const mostNames = 500;

// HOT: once per field of a response.
/** @throws node's own error if it is not a valid name. */
export function fieldName(name: string): FieldName {
  const known = names.get(name);
  if (known !== undefined) return known;
  const made = new FieldName(name);
  // An application that invents names must not fill the memory.
  if (names.size < mostNames) names.set(name, made);
  return made;
}
