/** The class of uploaded files. It is created at its first use, because the global `File` loads code that few applications need. */
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { lazyModule, require } from '../../shared/lazy-module.ts';
import type { UploadedFile } from '../../types/multipart.ts';
import type { RequestUploads } from './request-uploads.ts';

const loadFiles = lazyModule<typeof import('node:fs/promises')>(() => require('node:fs/promises'));
const loadConsumers = lazyModule<typeof import('node:stream/consumers')>(() =>
  require('node:stream/consumers'),
);

type FileBytes = Uint8Array<ArrayBuffer>;

/** The location of the bytes of a file. */
export interface StoredFile {
  readonly blob: Blob;
  /** The path in the temporary folder; `undefined` for a file in memory. */
  readonly path: string | undefined;
  readonly uploads: RequestUploads;
}

/** What the client has sent about a file. */
export interface FileInfo {
  readonly field: string;
  readonly filename: string;
  readonly mediaType: string;
}

export type UploadedFileClass = new (stored: StoredFile, info: FileInfo) => UploadedFile;

export const uploadedFileClass: () => UploadedFileClass = lazyModule(makeClass);

function makeClass(): UploadedFileClass {
  /**
   * A real `File`, so that validators of other libraries, `FormData` and `fetch` accept it. A file on disk is read with our own streams,
   * because node closes the files of its blobs only when these are garbage-collected.
   */
  return class UploadedFile extends File {
    readonly fieldName: string;
    readonly #uploads: RequestUploads;
    #path: string | undefined;
    #isSaved = false;

    constructor({ blob, path, uploads }: StoredFile, { field, filename, mediaType }: FileInfo) {
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
      if (this.#path === undefined) await loadFiles().writeFile(target, await this.bytes());
      else if (this.#isSaved) await loadFiles().copyFile(this.#path, target);
      else {
        await move(this.#path, target);
        this.#path = target;
        this.#isSaved = true;
      }
    }
  };
}

async function move(from: string, to: string): Promise<void> {
  const { copyFile, rename, rm } = loadFiles();
  try {
    await rename(from, to);
  } catch (error) {
    // The temporary folder is often on another file system.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyFile(from, to);
    await rm(from);
  }
}
