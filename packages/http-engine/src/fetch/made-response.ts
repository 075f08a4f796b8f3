/** Owns the `Response` of a handler that gives its status, fields and payload to the server: it is sent without a stream. */
import type { AnswerFields } from '../answer/field-lines.ts';
import { fieldName } from '../answer/field-lines.ts';
import type { Payload } from '../exchange/exchange.ts';
import { isOfConnection } from './connection-fields.ts';
import { delegateTo } from './delegate.ts';

export class MadeResponse {
  readonly #status: number;
  readonly #fields: AnswerFields;
  readonly #payload: Payload | undefined;
  #genuine: Response | undefined = undefined;

  // HOT: once per response.
  /**
   * @throws {RangeError} if `Response` does not accept the status.
   * @throws {TypeError} if a field is invalid.
   */
  constructor(status: number, fields: AnswerFields, payload: Payload | undefined) {
    if (!(status >= 200 && status <= 599))
      throw new RangeError(`A response cannot have the status ${status}`);
    // A copy: the response is sent later than it is made.
    const own: { [name: string]: AnswerFields[string] } = {};
    for (const name in fields) {
      const value = fields[name];
      checkField(name, value);
      if (!isOfConnection(name, value)) own[name] = value;
    }
    this.#status = status;
    this.#fields = own;
    this.#payload = payload;
  }

  static is(value: object): value is MadeResponse {
    return #fields in value;
  }

  get status(): number {
    return this.#status;
  }

  get ok(): boolean {
    return this.#status < 300;
  }

  /** Whether a genuine `Response` was made: it may have been changed, or read. */
  get hasGenuine(): boolean {
    return this.#genuine !== undefined;
  }

  get fields(): AnswerFields {
    return this.#fields;
  }

  get payload(): Payload | undefined {
    return this.#payload;
  }

  get genuine(): Response {
    this.#genuine ??= this.#makeGenuine();
    return this.#genuine;
  }

  #makeGenuine(): Response {
    const headers = new Headers();
    for (const name in this.#fields) {
      const value = this.#fields[name];
      if (Array.isArray(value)) for (const each of value) headers.append(name, each);
      else if (value !== undefined) headers.append(name, String(value));
    }
    // As bytes, because a `Response` adds a type of its own to a text.
    const body = this.#payload === undefined ? null : Buffer.from(this.#payload as string);
    return new Response(body, { status: this.#status, headers });
  }
}

function checkField(name: string, value: AnswerFields[string]): void {
  const known = fieldName(name);
  if (Array.isArray(value)) for (const each of value) known.writeLine(each);
  else if (value !== undefined) known.writeLine(value as string | number);
}

delegateTo(MadeResponse, Response, (response) => response.genuine);
