/** Owns operations on their way to the text of a document. */
import type { Json } from '../json.ts';
import type { OperationTail } from './described-parts.ts';

export class DescribedOperation {
  readonly #head: string;
  readonly #tail: OperationTail;
  readonly #extensions: Json | undefined;

  /**
   * @param head The fields before the parameters.
   * @param tail The fields from the parameters on. Several operations may have the same object.
   * @param extensions The fields after all others.
   */
  constructor(head: Json, tail: OperationTail, extensions: Json | undefined) {
    // Written at once, so that an error belongs to its route.
    this.#head = membersText(head);
    this.#tail = tail;
    this.#extensions = extensions;
  }

  /** The JSON of the operation. @param tails The texts of tails that are already written. */
  text(tails: Map<OperationTail, string>): string {
    let tail = tails.get(this.#tail);
    if (tail === undefined) {
      tail = membersText(this.#tail);
      tails.set(this.#tail, tail);
    }
    return this.#extensions === undefined
      ? `{${this.#head},${tail}}`
      : `{${this.#head},${tail},${membersText(this.#extensions)}}`;
  }
}

/** The JSON of an object with members, without its braces. */
function membersText(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}
