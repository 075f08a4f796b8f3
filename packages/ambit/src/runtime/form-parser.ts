/** The built-in parser of `multipart/form-data`, for routes whose schema declares that type: `@ambit/form-data`, with what the schema says. */
import { FileStorage, FormError, type FormErrorCode, FormReader, type PartHead } from '@ambit/form-data';
import { isObject } from '../shared/values.ts';
import {
  BodyTooLarge,
  ContentLengthMismatch,
  FieldNameTooLong,
  FieldsTooMany,
  FieldTooLarge,
  FilesTooMany,
  FileTooLarge,
  JsonBodyInvalid,
  MultipartInvalid,
  PartHeadTooLarge,
  UploadNotStored,
  UploadRemoved,
} from '../types/errors.ts';
import { exchangeOf } from '../types/exchange.ts';
import type { FormShape, MultipartOptions } from '../types/multipart.ts';
import type { BodyParser } from '../types/plan.ts';
import { type BodyStream, type PoisoningAction, poisonProblem, type Request } from '../types/request.ts';
import { announcedLength, withClientStatus } from './read-body.ts';

/** The settings for the forms of one route. */
interface FormRoute {
  readonly limitBytes: number;
  readonly limits: MultipartOptions;
  readonly shape: FormShape;
  /** Parses JSON, or throws. */
  readonly readJson: (text: string) => unknown;
  /** What to do about fields that could change a prototype: the same options as for JSON bodies. */
  readonly poisoning: { readonly onProto: PoisoningAction; readonly onConstructor: PoisoningAction };
}

/** Parses the forms of one route, and removes their files. */
export class FormParser implements BodyParser {
  readonly collectAs: undefined;
  readonly read: undefined;
  readonly limitBytes: number;
  readonly #route: FormRoute;
  readonly #storages = new Set<FileStorage>();

  constructor(route: FormRoute) {
    this.limitBytes = route.limitBytes;
    this.#route = route;
  }

  readonly parse = async (request: Request, stream: BodyStream): Promise<Record<string, unknown>> => {
    const x = exchangeOf(request);
    const { limits, shape } = this.#route;
    const storage = new FileStorage({ ...limits, removedError: () => new UploadRemoved() });
    const remove = (): Promise<void> => storage.remove().finally(() => this.#storages.delete(storage));
    try {
      const reader = new FormReader(x.mediaType!.parameters.get('boundary'), {
        limits,
        storage,
        isFile: (part) => isFile(part, shape),
        readField: (text, part) => this.#readField(text, part),
      });
      const announcedBytes = announcedLength(x);
      if (announcedBytes !== undefined && announcedBytes > this.limitBytes) throw new BodyTooLarge();
      this.#storages.add(storage);
      x.onceClosed(() => {
        // A hook may have replaced the stream by one that does not notice that the client has left.
        reader.fail(withClientStatus(new Error('the client left before the body was complete')));
        remove().catch(() => {});
      });
      checkLength(stream, reader, this.limitBytes, announcedBytes);
      return makeBody(await reader.read(stream), this.#route);
    } catch (error) {
      // Files are removed before the reply to a failure is sent.
      await remove().catch(() => {});
      throw error instanceof FormError ? errors[error.code](error) : withClientStatus(error);
    }
  };

  /** Ends uploads that still run, and removes all files. */
  async removeAll(): Promise<void> {
    await Promise.all([...this.#storages].map((storage) => storage.remove()));
  }

  #readField(text: string, { field, isJson }: PartHead): unknown {
    const { shape, readJson } = this.#route;
    if (!isJson && !shape.isObject(field)) return text;
    try {
      return readJson(text);
    } catch (cause) {
      const isPoisonous = cause instanceof JsonBodyInvalid && cause.message.endsWith(poisonProblem);
      const problem = isPoisonous ? poisonProblem : 'is not valid JSON';
      throw MultipartInvalid.at({ cause }, `the field '${field}' ${problem}`);
    }
  }
}

/** The errors of the catalogue, by the codes of the package. */
const errors: Readonly<Record<FormErrorCode, (error: FormError) => unknown>> = {
  FORM_INVALID: ({ message }) => new MultipartInvalid(message),
  FORM_INCOMPLETE: ({ message }) => withClientStatus(new Error(message)),
  TOO_MANY_FILES: ({ field, limit }) => new FilesTooMany(field, limit),
  FILE_TOO_LARGE: ({ field, limit }) => new FileTooLarge(field, limit),
  TOO_MANY_FIELDS: ({ field, limit }) => new FieldsTooMany(field, limit),
  FIELD_TOO_LARGE: ({ field, limit }) => new FieldTooLarge(field, limit),
  FIELD_NAME_TOO_LONG: ({ field, limit }) => new FieldNameTooLong(field, limit),
  PART_HEAD_TOO_LARGE: ({ field, limit }) => new PartHeadTooLarge(field, limit),
  FILE_NOT_STORED: ({ field, cause }) => UploadNotStored.at({ cause }, field),
  FILE_REMOVED: () => new UploadRemoved(),
};

/**
 * Whether the value of a part is a file: as the schema declares. A field that it does not declare is a file if it has a file name.
 *
 * @throws {MultipartInvalid} for text in a field that the schema declares as a file.
 */
function isFile({ field, filename, mediaType }: PartHead, shape: FormShape): boolean {
  const hasName = filename !== undefined;
  // RFC 7578, 4.2: the name of a file may be missing. Without a media type, the value is text (4.4).
  const mayBeFile = hasName || mediaType !== 'text/plain';
  const isDeclared = shape.isFile(field);
  if (isDeclared !== true) return isDeclared ?? hasName;
  if (!mayBeFile && !shape.isText(field)) throw new MultipartInvalid(`the field '${field}' must be a file`);
  return mayBeFile;
}

/** Refuses a body that is longer than its limit, or not as long as its head says. Must be called before the reader listens to the stream. */
function checkLength(
  stream: BodyStream,
  reader: FormReader,
  limitBytes: number,
  announcedBytes: number | undefined,
): void {
  let receivedBytes = 0;
  stream.on('data', (chunk: Buffer | string) => {
    receivedBytes += Buffer.byteLength(chunk);
    // A hook may decompress the body, so the limit applies to the bytes before and after it.
    if (receivedBytes > limitBytes || (stream.receivedEncodedLength ?? 0) > limitBytes)
      reader.fail(new BodyTooLarge());
  });
  stream.on('end', () => {
    const arrivedBytes = stream.receivedEncodedLength || receivedBytes;
    if (announcedBytes !== undefined && arrivedBytes !== announcedBytes)
      reader.fail(new ContentLengthMismatch());
  });
}

/**
 * Creates an object with a property for each field. A field that occurs several times becomes an array. Throws for a field that could
 * change a prototype.
 */
function makeBody(
  entries: Awaited<ReturnType<FormReader['read']>>,
  { shape, poisoning }: FormRoute,
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
  { onProto, onConstructor }: FormRoute['poisoning'],
): PoisoningAction {
  if (field === '__proto__') return onProto;
  return field === 'constructor' && isObject(value) && Object.hasOwn(value, 'prototype')
    ? onConstructor
    : 'ignore';
}
