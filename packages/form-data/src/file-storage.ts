/** Where the files of a form are: in memory, or in a temporary folder, which is removed with them. */

import { createReadStream, createWriteStream, openAsBlob } from 'node:fs';
import { copyFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { arrayBuffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { FormError } from './form-error.ts';

/** The options of a storage. */
export interface StorageOptions {
  /**
   * How many bytes of its files a form keeps in memory: an integer >= 0. A file that does not fit is written to a temporary folder. Default
   * 1,048,576 (1 MiB).
   */
  memorySize?: number | undefined;
  /** The folder in which the temporary folder is created. It must exist. Default: `os.tmpdir()`. */
  folder?: string | undefined;
  /** Creates the error for a file that is read after `remove`. Default: a `FormError` with the code `FILE_REMOVED`. */
  removedError?: (() => Error) | undefined;
}

/** The files of one form, until `remove`. */
export class FileStorage {
  readonly #parentFolder: string | undefined;
  readonly #removedError: () => Error;
  readonly #open = new Set<Readable | Writable>();
  #memoryLeftBytes: number;
  #folder: Promise<string> | undefined;
  #files = 0;
  #removed: Promise<void> | undefined;

  /** @param options How much memory the files may need, and where the others are. */
  constructor({ memorySize = 1_048_576, folder, removedError }: StorageOptions = {}) {
    this.#parentFolder = folder;
    this.#memoryLeftBytes = memorySize;
    this.#removedError =
      removedError ?? (() => new FormError('FILE_REMOVED', 'the file was removed with its form'));
  }

  /**
   * Counts bytes that are kept in memory.
   *
   * @param bytes How many. A negative number takes them back.
   * @returns Whether all of them fit.
   */
  takeMemory(bytes: number): boolean {
    this.#memoryLeftBytes -= bytes;
    return this.#memoryLeftBytes >= 0;
  }

  /** Returns a path for one more file. File names from clients are never used. */
  async newPath(): Promise<string> {
    this.check();
    // Only its owner can read the folder, because mkdtemp creates it with mode 0700.
    this.#folder ??= mkdtemp(join(this.#parentFolder ?? tmpdir(), 'ambit-upload-'));
    const folder = await this.#folder;
    this.check();
    this.#files += 1;
    return join(folder, String(this.#files));
  }

  /**
   * Writes a new file.
   * @param path What `newPath` returned.
   * @throws if the files are removed.
   */
  write(path: string): Writable {
    this.check();
    return this.#track(createWriteStream(path, { flags: 'wx' }));
  }

  /**
   * Reads a file.
   * @param path What `newPath` returned.
   * @throws if the files are removed.
   */
  read(path: string): Readable {
    this.check();
    return this.#track(createReadStream(path));
  }

  /** @throws if the files are removed. */
  check(): void {
    if (this.#removed !== undefined) throw this.#removedError();
  }

  /** Closes open files, and removes the temporary folder. The files cannot be read any more. A second call waits for the first. */
  remove(): Promise<void> {
    this.#removed ??= this.#remove();
    return this.#removed;
  }

  async #remove(): Promise<void> {
    await Promise.all([...this.#open].map((stream) => this.#close(stream)));
    const folder = await this.#folder?.catch(() => undefined);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  #track<Stream extends Readable | Writable>(stream: Stream): Stream {
    this.#open.add(stream);
    stream.once('close', () => this.#open.delete(stream));
    return stream;
  }

  #close(stream: Readable | Writable): Promise<void> {
    return new Promise((resolve) => {
      stream.once('close', resolve);
      stream.on('error', () => {});
      stream.destroy(this.#removedError());
    });
  }
}

/** What the client has sent about a file. */
interface FileInfo {
  readonly field: string;
  readonly filename: string | undefined;
  readonly mediaType: string;
}

/** Receives the bytes of one file. Moves them to the disk when the files of the form are larger than its memory. */
export class FileSink {
  readonly #source: Readable;
  readonly #storage: FileStorage;
  #chunks: Buffer<ArrayBuffer>[] = [];
  #memoryBytes = 0;
  #path: string | undefined;
  #stream: Writable | undefined;
  #opening: Promise<void> | undefined;

  /** @param source The stream of the file. It is paused while the disk is slower than the client. */
  constructor(source: Readable, storage: FileStorage) {
    this.#source = source;
    this.#storage = storage;
  }

  /** @param onFailure Called if the file cannot be written. */
  write(chunk: Buffer<ArrayBuffer>, onFailure: (error: unknown) => void): void {
    if (this.#stream !== undefined) {
      this.#writeToDisk(chunk);
      return;
    }
    this.#chunks.push(chunk);
    this.#memoryBytes += chunk.length;
    const fits = this.#storage.takeMemory(chunk.length);
    if (fits || this.#opening !== undefined) return;
    this.#source.pause();
    this.#opening = this.#moveToDisk(onFailure);
    this.#opening.then(() => this.#source.resume(), onFailure);
  }

  /** Must be called when the source has ended. Resolves when all bytes are stored. */
  async end(info: FileInfo): Promise<FormFile> {
    await this.#opening;
    const stream = this.#stream;
    if (stream === undefined) return new StoredFile(new Blob(this.#chunks), undefined, this.#storage, info);
    stream.end();
    await finished(stream);
    return new StoredFile(await openAsBlob(this.#path!), this.#path, this.#storage, info);
  }

  async #moveToDisk(onFailure: (error: unknown) => void): Promise<void> {
    this.#path = await this.#storage.newPath();
    this.#stream = this.#storage.write(this.#path);
    this.#stream.on('error', onFailure);
    for (const chunk of this.#chunks) this.#stream.write(chunk);
    this.#chunks = [];
    this.#storage.takeMemory(-this.#memoryBytes);
  }

  #writeToDisk(chunk: Buffer): void {
    if (this.#stream!.write(chunk)) return;
    this.#source.pause();
    this.#stream!.once('drain', () => this.#source.resume());
  }
}

type FileBytes = Uint8Array<ArrayBuffer>;

/** A file of a form: a web `File`, which can be read until its storage is removed. */
export interface FormFile extends File {
  /** The name that the client gave the file, without folders; empty if it gave none. Never use it as a path. */
  readonly name: string;
  /** The media type that the client named, in lower case and without parameters. The content may be something else. */
  readonly type: string;
  /** The name of the form's field. */
  readonly fieldName: string;
  /** Reads the file piece by piece. */
  stream(): ReadableStream<FileBytes>;
  /** Reads the whole file. */
  bytes(): Promise<FileBytes>;
  /**
   * Saves the file for good: moves or writes it to a path, and replaces what is there. The file can still be read afterwards.
   *
   * @param path Where to save it. Its folder must exist.
   */
  saveTo(path: string): Promise<void>;
}

/**
 * A real `File`, so that validators of other libraries, `FormData` and `fetch` accept it. A file on disk is read with our own streams,
 * because node closes the files of its blobs only when these are garbage-collected.
 */
class StoredFile extends File implements FormFile {
  readonly fieldName: string;
  readonly #storage: FileStorage;
  #path: string | undefined;
  #isSaved = false;

  constructor(blob: Blob, path: string | undefined, storage: FileStorage, info: FileInfo) {
    const { field, filename = '', mediaType } = info;
    super([blob], filename, { type: mediaType });
    this.fieldName = field;
    this.#path = path;
    this.#storage = storage;
    // Bun adds a charset to the type of a `File`.
    if (this.type.startsWith(`${mediaType};`)) Object.defineProperty(this, 'type', { value: mediaType });
  }

  override stream(): ReadableStream<FileBytes> {
    this.#storage.check();
    if (this.#path === undefined) return super.stream() as ReadableStream<FileBytes>;
    return Readable.toWeb(this.#storage.read(this.#path)) as ReadableStream<FileBytes>;
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    this.#storage.check();
    if (this.#path === undefined) return super.arrayBuffer();
    return arrayBuffer(this.#storage.read(this.#path));
  }

  override async bytes(): Promise<FileBytes> {
    return new Uint8Array(await this.arrayBuffer());
  }

  override async text(): Promise<string> {
    return new TextDecoder().decode(await this.arrayBuffer());
  }

  async saveTo(path: string): Promise<void> {
    this.#storage.check();
    const target = resolve(path);
    if (this.#path === undefined) await writeFile(target, await this.bytes());
    else if (this.#isSaved) await copyFile(this.#path, target);
    else {
      await move(this.#path, target);
      this.#path = target;
      this.#isSaved = true;
    }
  }
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    // The temporary folder is often on another file system.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyFile(from, to);
    await rm(from);
  }
}
