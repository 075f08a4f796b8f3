/** Where the files of a form are: in memory, or in a temporary folder of their request, which is removed with it. */

import { createReadStream, createWriteStream, openAsBlob } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { lazyModule } from '../../shared/lazy-module.ts';
import { UploadRemoved } from '../../types/errors.ts';
import type { UploadedFile as UploadedFileType } from '../../types/multipart.ts';

const require = createRequire(import.meta.url);

const loadFileSystem = lazyModule<typeof import('node:fs/promises')>(() => require('node:fs/promises'));
const loadOs = lazyModule<typeof import('node:os')>(() => require('node:os'));
const loadConsumers = lazyModule<typeof import('node:stream/consumers')>(() =>
  require('node:stream/consumers'),
);

export class RequestUploads {
  readonly #parentFolder: string | undefined;
  readonly #open = new Set<Readable | Writable>();
  #folder: Promise<string> | undefined;
  #files = 0;
  #removed: Promise<void> | undefined;

  /** @param parentFolder The folder of the temporary folder, which is created with the first file. Default: the system's. */
  constructor(parentFolder: string | undefined) {
    this.#parentFolder = parentFolder;
  }

  /** Returns a path for one more file. File names from clients are never used. */
  async newPath(): Promise<string> {
    this.check();
    // Only its owner can read the folder, because mkdtemp creates it with mode 0700.
    this.#folder ??= loadFileSystem().mkdtemp(join(this.#parentFolder ?? loadOs().tmpdir(), 'ambit-upload-'));
    const folder = await this.#folder;
    this.check();
    this.#files += 1;
    return join(folder, String(this.#files));
  }

  write(path: string): Writable {
    this.check();
    return this.#track(createWriteStream(path, { flags: 'wx' }));
  }

  read(path: string): Readable {
    this.check();
    return this.#track(createReadStream(path));
  }

  check(): void {
    if (this.#removed !== undefined) throw new UploadRemoved();
  }

  /** Closes open files, and removes the folder. A second call waits for the first. */
  remove(): Promise<void> {
    this.#removed ??= this.#remove();
    return this.#removed;
  }

  async #remove(): Promise<void> {
    await Promise.all([...this.#open].map(close));
    const folder = await this.#folder?.catch(() => undefined);
    if (folder !== undefined) await loadFileSystem().rm(folder, { recursive: true, force: true });
  }

  #track<Stream extends Readable | Writable>(stream: Stream): Stream {
    this.#open.add(stream);
    stream.once('close', () => this.#open.delete(stream));
    return stream;
  }
}

function close(stream: Readable | Writable): Promise<void> {
  return new Promise((resolve) => {
    stream.once('close', resolve);
    stream.on('error', () => {});
    stream.destroy(new UploadRemoved());
  });
}

/** How many more bytes of its files a request may keep in memory. */
export interface MemoryBudget {
  leftBytes: number;
}

/** What the client has sent about a file. */
interface FileInfo {
  readonly field: string;
  readonly filename: string | undefined;
  readonly mediaType: string;
}

/** Receives the bytes of one file. Moves them to the disk when the files of the request are larger than its budget. */
export class FileSink {
  readonly #source: Readable;
  readonly #uploads: RequestUploads;
  readonly #budget: MemoryBudget;
  #chunks: Buffer<ArrayBuffer>[] = [];
  #memoryBytes = 0;
  #path: string | undefined;
  #stream: Writable | undefined;
  #opening: Promise<void> | undefined;

  /** @param source The stream of the file. It is paused while the disk is slower than the client. */
  constructor(source: Readable, uploads: RequestUploads, budget: MemoryBudget) {
    this.#source = source;
    this.#uploads = uploads;
    this.#budget = budget;
  }

  /** @param onFailure Called if the file cannot be written. */
  write(chunk: Buffer<ArrayBuffer>, onFailure: (error: unknown) => void): void {
    if (this.#stream !== undefined) {
      this.#writeToDisk(chunk);
      return;
    }
    this.#chunks.push(chunk);
    this.#memoryBytes += chunk.length;
    this.#budget.leftBytes -= chunk.length;
    if (this.#budget.leftBytes >= 0 || this.#opening !== undefined) return;
    this.#source.pause();
    this.#opening = this.#moveToDisk(onFailure);
    this.#opening.then(() => this.#source.resume(), onFailure);
  }

  /** Must be called when the source has ended. Resolves when all bytes are stored. */
  async end(info: FileInfo): Promise<UploadedFileType> {
    await this.#opening;
    const stream = this.#stream;
    if (stream === undefined) return new UploadedFile(new Blob(this.#chunks), undefined, this.#uploads, info);
    stream.end();
    await finished(stream);
    return new UploadedFile(await openAsBlob(this.#path!), this.#path, this.#uploads, info);
  }

  async #moveToDisk(onFailure: (error: unknown) => void): Promise<void> {
    this.#path = await this.#uploads.newPath();
    this.#stream = this.#uploads.write(this.#path);
    this.#stream.on('error', onFailure);
    for (const chunk of this.#chunks) this.#stream.write(chunk);
    this.#chunks = [];
    this.#budget.leftBytes += this.#memoryBytes;
  }

  #writeToDisk(chunk: Buffer): void {
    if (this.#stream!.write(chunk)) return;
    this.#source.pause();
    this.#stream!.once('drain', () => this.#source.resume());
  }
}

type FileBytes = Uint8Array<ArrayBuffer>;

/**
 * A real `File`, so that validators of other libraries, `FormData` and `fetch` accept it. A file on disk is read with our own streams,
 * because node closes the files of its blobs only when these are garbage-collected.
 */
class UploadedFile extends File implements UploadedFileType {
  readonly fieldName: string;
  readonly #uploads: RequestUploads;
  #path: string | undefined;
  #isSaved = false;

  constructor(blob: Blob, path: string | undefined, uploads: RequestUploads, info: FileInfo) {
    const { field, filename = '', mediaType } = info;
    super([blob], filename, { type: mediaType });
    this.fieldName = field;
    this.#path = path;
    this.#uploads = uploads;
    // Bun adds a charset to the type of a `File`.
    if (this.type.startsWith(`${mediaType};`)) Object.defineProperty(this, 'type', { value: mediaType });
  }

  override stream(): ReadableStream<FileBytes> {
    this.#uploads.check();
    if (this.#path === undefined) return super.stream() as ReadableStream<FileBytes>;
    return Readable.toWeb(this.#uploads.read(this.#path)) as ReadableStream<FileBytes>;
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    this.#uploads.check();
    if (this.#path === undefined) return super.arrayBuffer();
    return loadConsumers().arrayBuffer(this.#uploads.read(this.#path));
  }

  override async bytes(): Promise<FileBytes> {
    return new Uint8Array(await this.arrayBuffer());
  }

  override async text(): Promise<string> {
    return new TextDecoder().decode(await this.arrayBuffer());
  }

  async saveTo(path: string): Promise<void> {
    this.#uploads.check();
    const target = resolve(path);
    if (this.#path === undefined) await loadFileSystem().writeFile(target, await this.bytes());
    else if (this.#isSaved) await loadFileSystem().copyFile(this.#path, target);
    else {
      await move(this.#path, target);
      this.#path = target;
      this.#isSaved = true;
    }
  }
}

async function move(from: string, to: string): Promise<void> {
  const { copyFile, rename, rm } = loadFileSystem();
  try {
    await rename(from, to);
  } catch (error) {
    // The temporary folder is often on another file system.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyFile(from, to);
    await rm(from);
  }
}
