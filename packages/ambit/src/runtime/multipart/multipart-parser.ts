/** The built-in parser of `multipart/form-data`, for routes whose schema declares that type. */
import type { Readable } from 'node:stream';
import { isObject } from '../../shared/values.ts';
import { BodyTooLarge, ContentLengthMismatch, MultipartInvalid } from '../../types/errors.ts';
import { exchangeOf } from '../../types/exchange.ts';
import type { FormShape } from '../../types/multipart.ts';
import type { BodyParser } from '../../types/plan.ts';
import type { BodyStream, PoisoningAction, Request } from '../../types/request.ts';
import { announcedLength, withClientStatus } from '../read-body.ts';
import { FormReader, type FormRules } from './form-reader.ts';
import { RequestUploads } from './uploads.ts';

/** RFC 2046, 5.1.1. */
const longestBoundary = 70;

/** The settings for the forms of one route. */
export interface MultipartRoute extends FormRules {
  readonly limitBytes: number;
  readonly poisoning: PoisoningActions;
}

type Done = (error?: Error | null, body?: unknown) => void;

/** Parses the forms of one route, and removes their files. */
export class MultipartParser implements BodyParser {
  readonly collectAs: undefined;
  readonly read: undefined;
  readonly limitBytes: number;
  readonly #route: MultipartRoute;
  readonly #uploads = new Set<RequestUploads>();

  constructor(route: MultipartRoute) {
    this.limitBytes = route.limitBytes;
    this.#route = route;
  }

  readonly parse = (request: Request, stream: BodyStream, done: Done): void => {
    const x = exchangeOf(request);
    const boundary = x.mediaType!.parameters.get('boundary');
    const announcedBytes = announcedLength(x);
    if (boundary === undefined || boundary === '' || boundary.length > longestBoundary) {
      const problem = `the Content-Type must have a boundary of 1 to ${longestBoundary} characters`;
      throw new MultipartInvalid(problem);
    }
    if (announcedBytes !== undefined && announcedBytes > this.limitBytes) throw new BodyTooLarge();
    const uploads = new RequestUploads(this.#route.limits.folder);
    this.#uploads.add(uploads);
    const remove = (): Promise<void> => uploads.remove().finally(() => this.#uploads.delete(uploads));
    const reader = new FormReader(boundary, this.#route, uploads, (error, entries) => {
      body.stop();
      // Files are removed before the reply is sent.
      const reject = (error: unknown): unknown =>
        remove().then(
          () => done(error as Error),
          () => done(error as Error),
        );
      if (error !== undefined) {
        reject(error);
        return;
      }
      let form: unknown;
      try {
        form = makeFormBody(entries, this.#route.shape, this.#route.poisoning);
      } catch (error) {
        reject(error);
        return;
      }
      done(null, form);
    });
    const body = new FormBodySource(stream, reader, { limitBytes: this.limitBytes, announcedBytes });
    x.onceClosed(() => {
      // A hook may have replaced the stream by one that does not notice that the client has left.
      reader.fail(withClientStatus(new Error('the client left before the body was complete')));
      remove().catch(() => {});
    });
    body.start();
  };

  /** Ends uploads that still run, and removes all files. */
  async removeAll(): Promise<void> {
    await Promise.all([...this.#uploads].map((uploads) => uploads.remove()));
  }
}

interface BodyLengths {
  readonly limitBytes: number;
  readonly announcedBytes: number | undefined;
}

/** Passes the bytes of a body to the reader of its form, as fast as the reader accepts them. */
class FormBodySource {
  readonly #stream: Readable & { receivedEncodedLength?: number };
  readonly #reader: FormReader;
  readonly #lengths: BodyLengths;
  #receivedBytes = 0;

  constructor(stream: BodyStream, reader: FormReader, lengths: BodyLengths) {
    this.#stream = stream;
    this.#reader = reader;
    this.#lengths = lengths;
  }

  start(): void {
    const stream = this.#stream;
    stream.on('data', this.#onData);
    stream.on('end', this.#onEnd);
    stream.on('error', this.#onError);
    stream.on('close', this.#onClose);
  }

  stop(): void {
    const stream = this.#stream;
    stream.removeListener('data', this.#onData);
    stream.removeListener('end', this.#onEnd);
    stream.removeListener('close', this.#onClose);
    // The listener of errors stays, because a later error must not end the process.
    stream.resume();
  }

  readonly #onData = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    this.#receivedBytes += bytes.length;
    const { limitBytes } = this.#lengths;
    // A hook may decompress the body, so the limit applies to the bytes before and after it.
    if (this.#receivedBytes > limitBytes || (this.#stream.receivedEncodedLength ?? 0) > limitBytes) {
      this.#reader.fail(new BodyTooLarge());
    } else if (!this.#reader.write(bytes, () => this.#stream.resume()) && !this.#reader.isSettled) {
      this.#stream.pause();
    }
  };

  readonly #onEnd = (): void => {
    const { announcedBytes } = this.#lengths;
    const arrivedBytes = this.#stream.receivedEncodedLength || this.#receivedBytes;
    if (announcedBytes !== undefined && arrivedBytes !== announcedBytes)
      this.#reader.fail(new ContentLengthMismatch());
    else this.#reader.end();
  };

  readonly #onError = (error: unknown): void => this.#reader.fail(withClientStatus(error));

  readonly #onClose = (): void => {
    if (!this.#stream.readableEnded)
      this.#reader.fail(withClientStatus(new Error('the body ended before it was complete')));
  };
}

/** A field of a form, with its value. */
export interface FormEntry {
  readonly field: string;
  readonly value: unknown;
}

/** What to do about fields that could change a prototype: the same options as for JSON bodies. */
export interface PoisoningActions {
  readonly onProto: PoisoningAction;
  readonly onConstructor: PoisoningAction;
}

/**
 * Creates an object with a property for each field. A field that occurs several times becomes an array.
 *
 * @throws {MultipartInvalid} for a field that could change a prototype.
 */
function makeFormBody(
  entries: readonly FormEntry[],
  shape: FormShape,
  actions: PoisoningActions,
): Record<string, unknown> {
  const values = new Map<string, unknown[]>();
  for (const { field, value } of entries) {
    const action = poisoningAction(field, value, actions);
    if (action === 'error') throw new MultipartInvalid(`the field '${field}' is not allowed`);
    if (action === 'remove') continue;
    const list = values.get(field);
    if (list === undefined) values.set(field, [value]);
    else list.push(value);
  }
  // `Object.fromEntries`, because an assignment to `__proto__` would set the prototype.
  return Object.fromEntries(
    [...values].map(([field, list]) => [field, list.length > 1 || shape.isList(field) ? list : list[0]]),
  );
}

function poisoningAction(
  field: string,
  value: unknown,
  { onProto, onConstructor }: PoisoningActions,
): PoisoningAction {
  if (field === '__proto__') return onProto;
  return field === 'constructor' && isObject(value) && Object.hasOwn(value, 'prototype')
    ? onConstructor
    : 'ignore';
}
