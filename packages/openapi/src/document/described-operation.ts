/** Writes operations as text, or as an object that belongs to the caller. */
import type { Json } from '../json.ts';
import type { OperationTail } from './described-parts.ts';
import { JsonCopies } from './json-copies.ts';

export class DescribedOperation {
  readonly #head: Json;
  readonly #tail: OperationTail;
  readonly #extensions: Json | undefined;

  /**
   * @param head The fields before the parameters, as JSON.
   * @param tail The parameters and the fields after them. Several operations may have the same object.
   * @param extensions The fields after all others, as JSON.
   */
  constructor(head: Json, tail: OperationTail, extensions: Json | undefined) {
    this.#head = head;
    this.#tail = tail;
    this.#extensions = extensions;
  }

  /** The JSON of the operation. */
  text(tails: WrittenTails): string {
    const text = `${membersText(this.#head)},${tails.textOf(this.#tail)}`;
    return this.#extensions === undefined ? `{${text}}` : `{${text},${membersText(this.#extensions)}}`;
  }

  /** The operation as an object that shares nothing with others. It contains the head, so it is created once. */
  object(tails: WrittenTails): object {
    return Object.assign(this.#head, tails.copyOf(this.#tail), this.#extensions);
  }
}

/** The tails of a document. Each is written once. */
export class WrittenTails {
  readonly #texts = new Map<OperationTail, string>();
  readonly #copies = new Map<OperationTail, JsonCopies<OperationTail>>();

  /** The JSON of a tail, without the braces around it. */
  textOf(tail: OperationTail): string {
    let text = this.#texts.get(tail);
    if (text === undefined) {
      text = membersText(tail);
      this.#texts.set(tail, text);
    }
    return text;
  }

  copyOf(tail: OperationTail): OperationTail {
    let copies = this.#copies.get(tail);
    if (copies === undefined) {
      copies = new JsonCopies(JSON.stringify(tail));
      this.#copies.set(tail, copies);
    }
    return copies.copy();
  }
}

/** The JSON of an object with members, without its braces. */
function membersText(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}
