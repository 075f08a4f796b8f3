/** Reads the parts of one `multipart/form-data` body, within its limits (RFC 7578, RFC 2046). */
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import type { Dicer } from '@fastify/busboy';
import { lazyModule } from '../../shared/lazy-module.ts';
import {
  FieldsTooMany,
  FieldTooLarge,
  FilesTooMany,
  FileTooLarge,
  JsonBodyInvalid,
  MultipartInvalid,
  PartHeadTooLarge,
  UploadNotStored,
} from '../../types/errors.ts';
import type { FormShape, MultipartOptions } from '../../types/multipart.ts';
import { poisonProblem } from '../../types/request.ts';
import { type PartFields, type PartHead, readPartHead } from './part-head.ts';
import { FileSink, type MemoryBudget, type RequestUploads } from './uploads.ts';

const require = createRequire(import.meta.url);

const loadDicer = lazyModule<{ Dicer: typeof Dicer }>(() => require('@fastify/busboy'));

const pieceBytes = 16_384;

/** A field of a form, with its value. */
export interface FormEntry {
  readonly field: string;
  readonly value: unknown;
}

/** Called once, with an error or with the fields. */
type FormReadCallback = (error: unknown, entries: readonly FormEntry[]) => void;

export class FormReader {
  readonly #rules: FormRules;
  readonly #uploads: RequestUploads;
  readonly #settle: FormReadCallback;
  readonly #parser: Dicer;
  readonly #entries: (FormEntry | undefined)[] = [];
  readonly #budget: MemoryBudget;
  /** The size of an incomplete head: the bytes since the piece in which its part began. */
  #headBytes: number | undefined;
  /** Parts that have begun and whose value is not complete. */
  #openParts = 0;
  #files = 0;
  #fields = 0;
  #onDrained: (() => void) | undefined;
  /** Whether the closing boundary has arrived. */
  #isParsed = false;
  #isEnded = false;
  #isSettled = false;

  /** @param boundary The parameter `boundary` of the Content-Type. */
  constructor(boundary: string, rules: FormRules, uploads: RequestUploads, settle: FormReadCallback) {
    this.#rules = rules;
    this.#uploads = uploads;
    this.#settle = settle;
    this.#budget = { leftBytes: rules.limits.memorySize };
    const { Dicer } = loadDicer();
    // Larger than the limit, so that the parser does not shorten a head that is too large to an allowed size.
    this.#parser = new Dicer({ boundary, maxHeaderSize: rules.limits.headerSize + 1024 } as never);
    this.#limitOpenHead(this.#parser);
    skipBlanks(this.#parser);
    this.#parser.on('part', (part) => this.#readPart(part));
    this.#parser.on('error', () => this.fail(new MultipartInvalid('it ends before its closing boundary')));
    this.#parser.on('drain', () => this.#drain());
    this.#parser.on('finish', () => {
      this.#isParsed = true;
      // After the closing boundary, the parser does not report that it is drained.
      this.#drain();
      this.#finishWhenComplete();
    });
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** @param onDrained Called when the reader accepts more, if `write` has returned false. */
  write(chunk: Buffer, onDrained: () => void): boolean {
    let acceptsMore = true;
    // In pieces, so that nothing more is parsed soon after a limit is reached.
    for (let from = 0; from < chunk.length && !this.#isSettled; from += pieceBytes) {
      // Bytes after the closing boundary are ignored (RFC 2046, 5.1.1).
      if (this.#parser.writable) acceptsMore = this.#parser.write(chunk.subarray(from, from + pieceBytes));
    }
    if (!acceptsMore) this.#onDrained = onDrained;
    return acceptsMore;
  }

  /** Limits a head that does not end, because the parser only reports complete heads. */
  #limitOpenHead(parser: Dicer): void {
    const { headerSize } = this.#rules.limits;
    const parse = parser._write;
    parser._write = (piece: Buffer, encoding, done) => {
      if (this.#headBytes !== undefined && this.#headBytes > headerSize) {
        this.fail(new PartHeadTooLarge('', headerSize));
        done();
        return;
      }
      if (this.#headBytes !== undefined) this.#headBytes += piece.length;
      parse.call(parser, piece, encoding, done);
    };
  }

  #drain(): void {
    const onDrained = this.#onDrained;
    this.#onDrained = undefined;
    onDrained?.();
  }

  /** Called when the body has ended. */
  end(): void {
    this.#isEnded = true;
    if (this.#parser.writable) this.#parser.end();
    this.#finishWhenComplete();
  }

  fail(error: unknown): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#parser.destroy();
    this.#settle(error, []);
  }

  #finishWhenComplete(): void {
    if (!this.#isParsed || !this.#isEnded || this.#openParts > 0 || this.#isSettled) return;
    this.#isSettled = true;
    this.#settle(
      undefined,
      this.#entries.filter((entry) => entry !== undefined),
    );
  }

  #readPart(part: Dicer.PartStream): void {
    let target: PartTarget | undefined;
    const index = this.#entries.push(undefined) - 1;
    this.#openParts += 1;
    this.#headBytes = 0;
    part.on('header', (fields) => {
      this.#headBytes = undefined;
      this.#attempt(() => {
        target = this.#openTarget(part, fields as PartFields);
      });
    });
    part.on('data', (chunk: Buffer<ArrayBuffer>) => {
      if (!this.#isSettled) this.#attempt(() => target?.write(chunk));
    });
    // The parser itself reports the same error.
    part.on('error', () => {});
    part.on('end', () => {
      if (this.#isSettled) return;
      if (target === undefined) this.fail(new MultipartInvalid('the head of a part is not complete'));
      else this.#complete(index, target);
    });
  }

  async #complete(index: number, target: PartTarget): Promise<void> {
    try {
      const entry = target.end();
      this.#entries[index] = entry instanceof Promise ? await entry : entry;
      this.#openParts -= 1;
      this.#finishWhenComplete();
    } catch (error) {
      this.fail(error);
    }
  }

  #attempt(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.fail(error);
    }
  }

  #openTarget(part: Readable, fields: PartFields): PartTarget {
    const { limits } = this.#rules;
    const head = readPartHead(fields, limits);
    const { field } = head;
    if (this.#isFile(head)) {
      this.#files += 1;
      if (this.#files > limits.files) throw new FilesTooMany(field, limits.files);
      return this.#openFile(part, head);
    }
    this.#fields += 1;
    if (this.#fields > limits.fields) throw new FieldsTooMany(field, limits.fields);
    return openField(head, this.#rules);
  }

  #openFile(part: Readable, head: PartHead): PartTarget {
    const { field } = head;
    const { fileSize } = this.#rules.limits;
    const sink = new FileSink(part, this.#uploads, this.#budget);
    const notStored = (cause: unknown): Error => UploadNotStored.at({ cause }, field);
    const onFailure = (cause: unknown): void => this.fail(notStored(cause));
    let sizeBytes = 0;
    return {
      write: (chunk) => {
        sizeBytes += chunk.length;
        if (sizeBytes > fileSize) throw new FileTooLarge(field, fileSize);
        sink.write(chunk, onFailure);
      },
      end: () => {
        // Browsers send this for a file input without a file.
        if (head.filename === '' && sizeBytes === 0) return undefined;
        return sink.end(head).then(
          (value) => ({ field, value }),
          (cause) => {
            throw notStored(cause);
          },
        );
      },
    };
  }

  /**
   * Whether the value of a part is a file: as the schema declares. A field that it does not declare is a file if it has a file name.
   *
   * @throws {MultipartInvalid} for text in a field that the schema declares as a file.
   */
  #isFile({ field, filename, mediaType }: PartHead): boolean {
    const { shape } = this.#rules;
    const hasName = filename !== undefined;
    // RFC 7578, 4.2: the name of a file may be missing. Without a media type, the value is text (4.4).
    const mayBeFile = hasName || mediaType !== 'text/plain';
    const isDeclared = shape.isFile(field);
    if (isDeclared !== true) return isDeclared ?? hasName;
    if (!mayBeFile && !shape.isText(field)) throw new MultipartInvalid(`the field '${field}' must be a file`);
    return mayBeFile;
  }
}

/** The part of the parser that reads the heads of parts. It is not documented. */
interface HeadParser {
  buffer: string;
  _parseHeader?(): void;
}

/** Blanks may follow a delimiter (RFC 2046, 5.1.1). The parser would take them for the first line of the head, and the form would be refused. */
function skipBlanks(parser: Dicer): void {
  const { _hparser: heads } = parser as Dicer & { readonly _hparser?: HeadParser };
  const parse = heads?._parseHeader;
  if (heads === undefined || parse === undefined) return;
  heads._parseHeader = () => {
    heads.buffer = heads.buffer.replace(/^[\t ]+\r\n/, '\r\n');
    parse.call(heads);
  };
}

/** Receives the bytes of one part, and creates its value. `write` throws if the value is too large. */
interface PartTarget {
  write(chunk: Buffer<ArrayBuffer>): void;
  end(): FormEntry | undefined | Promise<FormEntry | undefined>;
}

/** Collects the value of one field of a form: text, or JSON. */
function openField(head: PartHead, { shape, limits, readJson }: FormRules): PartTarget {
  const { field, filename, mediaType } = head;
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  return {
    write: (chunk) => {
      sizeBytes += chunk.length;
      if (sizeBytes > limits.fieldSize) throw new FieldTooLarge(field, limits.fieldSize);
      chunks.push(chunk);
    },
    end: () => {
      const isJsonField = mediaType === 'application/json' || mediaType.endsWith('+json');
      // The bytes of a file must not be accepted as the value of a field.
      if (filename !== undefined && !isJsonField)
        throw new MultipartInvalid(`the field '${field}' must not be a file`);
      const text = decodeField(head, Buffer.concat(chunks));
      const value = isJsonField || shape.isObject(field) ? parseJson(field, text, readJson) : text;
      return { field, value };
    },
  };
}

function decodeField({ field, charset = 'utf-8' }: PartHead, bytes: Buffer): string {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new MultipartInvalid(`the field '${field}' is not text in ${charset}`);
  }
}

function parseJson(field: string, text: string, readJson: FormRules['readJson']): unknown {
  try {
    return readJson(text);
  } catch (cause) {
    const isPoisonous = cause instanceof JsonBodyInvalid && cause.message.endsWith(poisonProblem);
    throw MultipartInvalid.at(
      { cause },
      `the field '${field}' ${isPoisonous ? poisonProblem : 'is not valid JSON'}`,
    );
  }
}

/** The settings that all forms of one route share. */
export interface FormRules {
  readonly shape: FormShape;
  readonly limits: FormLimits;
  /** Parses JSON, or throws. */
  readonly readJson: (text: string) => unknown;
}

/** The options with their defaults. With `Infinity`, only the limit of the body applies. */
export type FormLimits = Required<Omit<MultipartOptions, 'folder'>> & { readonly folder: string | undefined };

const defaults: FormLimits = {
  fileSize: Number.POSITIVE_INFINITY,
  files: 100,
  fieldSize: Number.POSITIVE_INFINITY,
  fields: 1000,
  fieldNameSize: 100,
  headerSize: 16_384,
  memorySize: 1_048_576,
  folder: undefined,
};

/** @param options The options of the application, then those of the route. */
export function resolveLimits(...options: (MultipartOptions | undefined)[]): FormLimits {
  const limits: Record<string, unknown> = { ...defaults };
  for (const [name, value] of options.flatMap((limits) => Object.entries(limits ?? {}))) {
    if (value !== undefined) limits[name] = value;
  }
  return limits as unknown as FormLimits;
}
