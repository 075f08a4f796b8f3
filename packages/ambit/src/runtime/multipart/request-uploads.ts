/** Manages the temporary folder of one request, and the files that are open in it. */
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { lazyModule, require } from '../../shared/lazy-module.ts';
import { UploadRemoved } from '../../types/errors.ts';

const loadFiles = lazyModule<typeof import('node:fs/promises')>(() => require('node:fs/promises'));
const loadOs = lazyModule<typeof import('node:os')>(() => require('node:os'));

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

  get isRemoved(): boolean {
    return this.#removed !== undefined;
  }

  /** Returns a path for one more file. File names from clients are never used. */
  async newPath(): Promise<string> {
    this.check();
    // Only its owner can read the folder, because mkdtemp creates it with mode 0700.
    this.#folder ??= loadFiles().mkdtemp(join(this.#parentFolder ?? loadOs().tmpdir(), 'ambit-upload-'));
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

  /** @throws {UploadRemoved} */
  check(): void {
    if (this.isRemoved) throw new UploadRemoved();
  }

  /** Closes open files, and removes the folder. A second call waits for the first. */
  remove(): Promise<void> {
    this.#removed ??= this.#remove();
    return this.#removed;
  }

  async #remove(): Promise<void> {
    await Promise.all([...this.#open].map(close));
    const folder = await this.#folder?.catch(() => undefined);
    if (folder !== undefined) await loadFiles().rm(folder, { recursive: true, force: true });
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
