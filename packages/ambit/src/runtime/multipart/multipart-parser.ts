/** The built-in parser of `multipart/form-data`, for routes whose schema declares that type. */
import type { Readable } from 'node:stream';
import { isObject } from '../../shared/values.ts';
import { BodyTooLarge, ContentLengthMismatch, MultipartInvalid } from '../../types/errors.ts';
import { exchangeOf } from '../../types/exchange.ts';
import type { BodyParser } from '../../types/plan.ts';
import type { BodyStream, PoisoningAction, Request } from '../../types/request.ts';
import { announcedLength, withClientStatus } from '../read-body.ts';
import { type FormEntry, FormReader, type FormRules } from './form-reader.ts';
import { RequestUploads } from './uploads.ts';

/** RFC 2046, 5.1.1. */
const longestBoundary = 70;

/** The settings for the forms of one route. */
interface MultipartRoute extends FormRules {
  readonly limitBytes: number;
  /** What to do about fields that could change a prototype: the same options as for JSON bodies. */
  readonly poisoning: { readonly onProto: PoisoningAction; readonly onConstructor: PoisoningAction };
}

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

  readonly parse = (
    request: Request,
    stream: BodyStream,
    done: (error?: Error | null, body?: unknown) => void,
  ): void => {
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
      stop();
      let failure = error;
      let form: unknown;
      try {
        if (failure === undefined) form = makeFormBody(entries, this.#route);
      } catch (thrown) {
        failure = thrown;
      }
      const settle = (): void => done((failure as Error | undefined) ?? null, form);
      // Files are removed before the reply to a failure is sent.
      if (failure === undefined) settle();
      else remove().then(settle, settle);
    });
    const stop = pump(stream, reader, this.limitBytes, announcedBytes);
    x.onceClosed(() => {
      // A hook may have replaced the stream by one that does not notice that the client has left.
      reader.fail(withClientStatus(new Error('the client left before the body was complete')));
      remove().catch(() => {});
    });
  };

  /** Ends uploads that still run, and removes all files. */
  async removeAll(): Promise<void> {
    await Promise.all([...this.#uploads].map((uploads) => uploads.remove()));
  }
}

/** Passes the bytes of a body to the reader of its form, as fast as the reader accepts them. Returns a function that stops this. */
function pump(
  stream: Readable & { receivedEncodedLength?: number },
  reader: FormReader,
  limitBytes: number,
  announcedBytes: number | undefined,
): () => void {
  let receivedBytes = 0;
  const onData = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    receivedBytes += bytes.length;
    // A hook may decompress the body, so the limit applies to the bytes before and after it.
    if (receivedBytes > limitBytes || (stream.receivedEncodedLength ?? 0) > limitBytes) {
      reader.fail(new BodyTooLarge());
    } else if (!reader.write(bytes, () => stream.resume()) && !reader.isSettled) stream.pause();
  };
  const onEnd = (): void => {
    const arrivedBytes = stream.receivedEncodedLength || receivedBytes;
    if (announcedBytes !== undefined && arrivedBytes !== announcedBytes)
      reader.fail(new ContentLengthMismatch());
    else reader.end();
  };
  const onClose = (): void => {
    if (!stream.readableEnded)
      reader.fail(withClientStatus(new Error('the body ended before it was complete')));
  };
  stream.on('data', onData);
  stream.on('end', onEnd);
  stream.on('close', onClose);
  // This listener stays, because a later error must not end the process.
  stream.on('error', (error) => reader.fail(withClientStatus(error)));
  return () => {
    stream.removeListener('data', onData);
    stream.removeListener('end', onEnd);
    stream.removeListener('close', onClose);
    stream.resume();
  };
}

/**
 * Creates an object with a property for each field. A field that occurs several times becomes an array. Throws for a field that could
 * change a prototype.
 */
function makeFormBody(
  entries: readonly FormEntry[],
  { shape, poisoning }: MultipartRoute,
): Record<string, unknown> {
  const values = new Map<string, unknown[]>();
  for (const { field, value } of entries) {
    const action = poisoningAction(field, value, poisoning);
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
  { onProto, onConstructor }: MultipartRoute['poisoning'],
): PoisoningAction {
  if (field === '__proto__') return onProto;
  return field === 'constructor' && isObject(value) && Object.hasOwn(value, 'prototype')
    ? onConstructor
    : 'ignore';
}
