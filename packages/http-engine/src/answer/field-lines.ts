/** Owns the fields of answers as lines: which of them the engine writes itself, and their texts. */
import { validateHeaderName, validateHeaderValue } from 'node:http';

/** The value of a field of an answer. A list is sent as several lines of that name. */
export type FieldValue = string | number | readonly string[];
/** The fields of an answer, under names in any case. */
export interface AnswerFields {
  readonly [name: string]: FieldValue | undefined;
}

/**
 * What a name means to the engine. `plain`: one line. `length`, `date`: a line that it must know of. `cookies`: a line for each of a
 * list. `nodes`: decides about the connection or the transfer, or node writes it in ways of its own.
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

/** A valid name, and the line that was written under it last: most answers repeat it. */
export class FieldName {
  readonly kind: FieldKind;
  readonly #name: string;
  /** Whether the line that was written last holds ASCII alone. */
  isAscii = true;
  #value: string | number | undefined = undefined;
  #line = '';

  /** @throws node's own error where it is no name. */
  constructor(name: string) {
    validateHeaderName(name);
    this.#name = name;
    this.kind = kinds[name.toLowerCase()] ?? 'plain';
  }

  // HOT: once per field of an answer.
  /**
   * The line of a value, CRLF included.
   *
   * @throws node's own error where it is no value.
   */
  writeLine(value: string | number): string {
    if (this.#value === value) return this.#line;
    validateHeaderValue(this.#name, value as string);
    this.isAscii = typeof value === 'number' || !beyondAscii.test(value);
    const line = `${this.#name}: ${value}\r\n`;
    // A long value is seldom the same twice, and not worth its memory.
    if (line.length <= 200) {
      this.#value = value;
      this.#line = line;
    } else this.#value = undefined;
    return line;
  }
}

const names: Map<string, FieldName> = new Map();
const mostNames = 500;

// HOT: once per field of an answer.
/** @throws node's own error where it is no name. */
export function fieldName(name: string): FieldName {
  const known = names.get(name);
  if (known !== undefined) return known;
  const made = new FieldName(name);
  // An application that makes names up must not fill the memory.
  if (names.size < mostNames) names.set(name, made);
  return made;
}
