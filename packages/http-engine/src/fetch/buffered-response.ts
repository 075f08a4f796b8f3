/** The `Response` that `makeResponse` creates: its payload is in memory, so the server sends it without reading a stream. */
import type { AnswerFields } from '../answer/field-lines.ts';
import { fieldName } from '../answer/field-lines.ts';
import type { Payload } from '../exchange/exchange.ts';
import { isOfConnection } from './connection-fields.ts';
import { delegateTo } from './delegate.ts';

export class BufferedResponse {
  readonly #status: number;
  readonly #fields: AnswerFields;
  readonly #payload: Payload | undefined;
  #native: Response | undefined = undefined;

  // HOT: once per response.
  /**
   * @throws {RangeError} if `Response` does not accept the status.
   * @throws {TypeError} if a field is invalid.
   */
  constructor(status: number, fields: AnswerFields, payload: Payload | undefined) {
    if (!(status >= 200 && status <= 599))
      throw new RangeError(`A response cannot have the status ${status}`);
    // A copy, because the response is sent later than it is created.
    const copiedFields: { [name: string]: AnswerFields[string] } = {};
    for (const name in fields) {
      const value = fields[name];
      checkField(name, value);
      if (!isOfConnection(name, value)) copiedFields[name] = value;
    }
    this.#status = status;
    this.#fields = copiedFields;
    this.#payload = payload;
  }

  static is(value: object): value is BufferedResponse {
    return #fields in value;
  }

  get status(): number {
    return this.#status;
  }

  get ok(): boolean {
    return this.#status < 300;
  }

  /** Whether a native `Response` was created. It may have been changed or read. */
  get hasNative(): boolean {
    return this.#native !== undefined;
  }

  get fields(): AnswerFields {
    return this.#fields;
  }

  get payload(): Payload | undefined {
    return this.#payload;
  }

  get native(): Response {
    this.#native ??= this.#makeNative();
    return this.#native;
  }

  #makeNative(): Response {
    const headers = new Headers();
    for (const name in this.#fields) {
      const value = this.#fields[name];
      if (Array.isArray(value)) for (const each of value) headers.append(name, each);
      else if (value !== undefined) headers.append(name, String(value));
    }
    // As bytes, because a `Response` adds a content type to a text.
    const body = this.#payload === undefined ? null : Buffer.from(this.#payload as string);
    return new Response(body, { status: this.#status, headers });
  }
}

function checkField(name: string, value: AnswerFields[string]): void {
  const field = fieldName(name);
  if (Array.isArray(value)) for (const each of value) field.writeLine(each);
  else if (value !== undefined) field.writeLine(value as string | number);
}

delegateTo(BufferedResponse, Response, (response) => response.native);
