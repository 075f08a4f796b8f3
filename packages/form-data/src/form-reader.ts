/** Reads the parts of one `multipart/form-data` body, within its limits (RFC 7578, RFC 2046). */
import type { Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import { FileSink, type FileStorage } from './file-storage.ts';
import { FormError, type FormErrorCode, invalid } from './form-error.ts';
import { headTooLarge, type PartFields, type PartHead, readPartHead } from './part-head.ts';

/** How large a form may be. Sizes are in bytes. A limit that is `undefined` has its default. */
export interface FormLimits {
  /** The largest file: an integer > 0. Default: no limit. */
  fileSize?: number | undefined;
  /** The most files: an integer >= 0. Default 100. */
  files?: number | undefined;
  /** The largest value of a field that is not a file: an integer > 0. Default: no limit. */
  fieldSize?: number | undefined;
  /** The most fields that are not files: an integer >= 0. Default 1,000. */
  fields?: number | undefined;
  /** The longest name of a field: an integer > 0. Default 100. */
  fieldNameSize?: number | undefined;
  /** The largest head (all header fields together) of one part: an integer > 0. Default 16,384. */
  headerSize?: number | undefined;
}

/** What a form may hold, and what becomes of it. */
export interface FormReaderOptions {
  /** Default: the default of each limit. */
  limits?: FormLimits | undefined;
  /** Keeps the files of this form. Its owner removes them. */
  storage: FileStorage;
  /** Whether the value of a part is a file. What it throws refuses the form. Default: a part with a file name is a file. */
  isFile?: ((part: PartHead) => boolean) | undefined;
  /** Converts the text of a field that is not a file. What it throws refuses the form. Default: the text. */
  readField?: ((text: string, part: PartHead) => unknown) | undefined;
}

/** A field of a form, with its value: a `FormFile`, or what `readField` returned. */
export interface FormEntry {
  /** The name of the field. */
  readonly field: string;
  /** The value. */
  readonly value: unknown;
}

/** RFC 2046, 5.1.1. */
const longestBoundary = 70;

const pieceBytes = 16_384;

/** Reads one form. */
export class FormReader {
  readonly #options: FormReaderOptions;
  readonly #limits: { readonly [Name in keyof FormLimits]-?: number };
  readonly #parser: Dicer;
  readonly #entries: (FormEntry | undefined)[] = [];
  #settle: ((error: unknown) => void) | undefined;
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

  /**
   * @param boundary The parameter `boundary` of the Content-Type.
   * @param options Limits, and where files go.
   * @throws {FormError} (`FORM_INVALID`) if the boundary does not have 1 to 70 characters.
   */
  constructor(boundary: string | undefined, options: FormReaderOptions) {
    if (boundary === undefined || boundary === '' || boundary.length > longestBoundary)
      throw invalid(`the Content-Type must have a boundary of 1 to ${longestBoundary} characters`);
    const { limits = {} } = options;
    this.#options = options;
    this.#limits = {
      fileSize: limits.fileSize ?? Number.POSITIVE_INFINITY,
      files: limits.files ?? 100,
      fieldSize: limits.fieldSize ?? Number.POSITIVE_INFINITY,
      fields: limits.fields ?? 1000,
      fieldNameSize: limits.fieldNameSize ?? 100,
      headerSize: limits.headerSize ?? 16_384,
    };
    // Larger than the limit, so that the parser does not shorten a head that is too large to an allowed size.
    this.#parser = new Dicer({ boundary, maxHeaderSize: this.#limits.headerSize + 1024 } as never);
    this.#limitOpenHead(this.#parser);
    skipBlanks(this.#parser);
    this.#parser.on('part', (part) => this.#readPart(part));
    this.#parser.on('error', () => this.fail(invalid('it ends before its closing boundary')));
    this.#parser.on('drain', () => this.#drain());
    this.#parser.on('finish', () => {
      this.#isParsed = true;
      // After the closing boundary, the parser does not report that it is drained.
      this.#drain();
      this.#finishWhenComplete();
    });
  }

  /**
   * Reads the form, as fast as its files can be stored. Must be called once.
   *
   * @param source The body. If the form is refused, the rest of it is read and dropped.
   * @returns The fields in their order; file inputs without a file are left out.
   * @throws {FormError} (as a rejection), what the callbacks throw, or the error of the source. The files that are stored then are not
   *   removed.
   */
  read(source: Readable): Promise<readonly FormEntry[]> {
    return new Promise((resolve, reject) => {
      const onData = (chunk: Buffer | string): void => {
        if (this.#isSettled) return;
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        if (!this.#write(bytes, () => source.resume()) && !this.#isSettled) source.pause();
      };
      const onEnd = (): void => this.#end();
      const onClose = (): void => {
        if (!source.readableEnded)
          this.fail(new FormError('FORM_INCOMPLETE', 'the body ended before it was complete'));
      };
      this.#settle = (error) => {
        source.removeListener('data', onData);
        source.removeListener('end', onEnd);
        source.removeListener('close', onClose);
        source.resume();
        if (error === undefined) resolve(this.#entries.filter((entry) => entry !== undefined));
        else reject(error);
      };
      source.on('data', onData);
      source.on('end', onEnd);
      source.on('close', onClose);
      // This listener stays, because a later error must not end the process.
      source.on('error', (error) => this.fail(error));
    });
  }

  /**
   * Refuses the form, if it is not complete yet.
   *
   * @param error The error with which `read` rejects.
   */
  fail(error: unknown): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#parser.destroy();
    this.#settle?.(error);
  }

  /** @param onDrained Called when the parser accepts more, if the result is `false`. */
  #write(chunk: Buffer, onDrained: () => void): boolean {
    let acceptsMore = true;
    // In pieces, so that nothing more is parsed soon after a limit is reached.
    for (let from = 0; from < chunk.length && !this.#isSettled; from += pieceBytes) {
      // Bytes after the closing boundary are ignored (RFC 2046, 5.1.1).
      if (this.#parser.writable) acceptsMore = this.#parser.write(chunk.subarray(from, from + pieceBytes));
    }
    if (!acceptsMore) this.#onDrained = onDrained;
    return acceptsMore;
  }

  #drain(): void {
    const onDrained = this.#onDrained;
    this.#onDrained = undefined;
    onDrained?.();
  }

  #end(): void {
    this.#isEnded = true;
    if (this.#parser.writable) this.#parser.end();
    this.#finishWhenComplete();
  }

  #finishWhenComplete(): void {
    if (!this.#isParsed || !this.#isEnded || this.#openParts > 0 || this.#isSettled) return;
    this.#isSettled = true;
    this.#settle!(undefined);
  }

  /** Limits a head that does not end, because the parser only reports complete heads. */
  #limitOpenHead(parser: Dicer): void {
    const { headerSize } = this.#limits;
    const parse = parser._write;
    parser._write = (piece: Buffer, encoding, done) => {
      if (this.#headBytes !== undefined && this.#headBytes > headerSize) {
        this.fail(headTooLarge('', headerSize));
        done();
        return;
      }
      if (this.#headBytes !== undefined) this.#headBytes += piece.length;
      parse.call(parser, piece, encoding, done);
    };
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
      if (target === undefined) this.fail(invalid('the head of a part is not complete'));
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
    const { isFile = hasFilename } = this.#options;
    const limits = this.#limits;
    const head = readPartHead(fields, limits);
    const { field } = head;
    if (isFile(head)) {
      this.#files += 1;
      if (this.#files > limits.files) throw tooMany('TOO_MANY_FILES', 'file', field, limits.files);
      return this.#openFile(part, head);
    }
    this.#fields += 1;
    if (this.#fields > limits.fields) throw tooMany('TOO_MANY_FIELDS', 'field', field, limits.fields);
    return this.#openField(head);
  }

  #openFile(part: Readable, head: PartHead): PartTarget {
    const { field, filename } = head;
    const { fileSize } = this.#limits;
    const sink = new FileSink(part, this.#options.storage);
    const notStored = (cause: unknown): FormError =>
      new FormError('FILE_NOT_STORED', `the file in field '${field}' cannot be stored`, { field, cause });
    const onFailure = (cause: unknown): void => this.fail(notStored(cause));
    let sizeBytes = 0;
    return {
      write: (chunk) => {
        sizeBytes += chunk.length;
        if (sizeBytes > fileSize) throw tooLarge('FILE_TOO_LARGE', 'file', field, fileSize);
        sink.write(chunk, onFailure);
      },
      end: () => {
        // Browsers send this for a file input without a file.
        if (filename === '' && sizeBytes === 0) return undefined;
        return sink.end(head).then(
          (value) => ({ field, value }),
          (cause) => {
            throw notStored(cause);
          },
        );
      },
    };
  }

  #openField(head: PartHead): PartTarget {
    const { field, filename, isJson } = head;
    const { fieldSize } = this.#limits;
    const { readField } = this.#options;
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    return {
      write: (chunk) => {
        sizeBytes += chunk.length;
        if (sizeBytes > fieldSize) throw tooLarge('FIELD_TOO_LARGE', 'value', field, fieldSize);
        chunks.push(chunk);
      },
      end: () => {
        // The bytes of a file must not be accepted as the value of a field.
        if (filename !== undefined && !isJson) throw invalid(`the field '${field}' must not be a file`);
        const text = decode(head, Buffer.concat(chunks));
        return { field, value: readField === undefined ? text : readField(text, head) };
      },
    };
  }
}

/** Receives the bytes of one part, and creates its value. `write` throws if the value is too large. */
interface PartTarget {
  write(chunk: Buffer<ArrayBuffer>): void;
  end(): FormEntry | undefined | Promise<FormEntry | undefined>;
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

function hasFilename({ filename }: PartHead): boolean {
  return filename !== undefined;
}

function decode({ field, charset = 'utf-8' }: PartHead, bytes: Buffer): string {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalid(`the field '${field}' is not text in ${charset}`);
  }
}

function tooLarge(code: FormErrorCode, what: string, field: string, limit: number): FormError {
  const message = `the ${what} of field '${field}' is larger than ${limit} bytes`;
  return new FormError(code, message, { field, limit });
}

function tooMany(code: FormErrorCode, what: string, field: string, limit: number): FormError {
  const message = `the form has more than ${limit} ${what}s: that of field '${field}' is one too many`;
  return new FormError(code, message, { field, limit });
}
