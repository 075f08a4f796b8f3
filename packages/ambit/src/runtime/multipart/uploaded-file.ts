/** Owns the class of uploaded files. It is made at its first use: the global `File` loads code that few applications need. */
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { UploadedFile } from '../../contract/multipart.ts';
import { lazyModule, require } from '../../shared/lazy-module.ts';
import type { RequestUploads } from './request-uploads.ts';

const loadFiles = lazyModule<typeof import('node:fs/promises')>(() => require('node:fs/promises'));
const loadConsumers = lazyModule<typeof import('node:stream/consumers')>(() =>
  require('node:stream/consumers'),
);

type FileBytes = Uint8Array<ArrayBuffer>;

/** Where the bytes of a file are. */
export interface StoredFile {
  readonly blob: Blob;
  /** The path in the temporary folder; `undefined` for a file in memory. */
  readonly path: string | undefined;
  readonly uploads: RequestUploads;
}

/** What a client said about a file. */
export interface FileLabels {
  readonly field: string;
  readonly filename: string;
  readonly mediaType: string;
}

export type UploadedFileClass = new (stored: StoredFile, labels: FileLabels) => UploadedFile;

export const uploadedFileClass: () => UploadedFileClass = lazyModule(makeClass);

function makeClass(): UploadedFileClass {
  /**
   * A real `File`, so that validators of other libraries, `FormData` and `fetch` take it. A file on disk is read by streams of our own, though:
   * node closes the files behind its blobs only when they are collected as garbage.
   */
  return class UploadedFile extends File {
    readonly fieldName: string;
    readonly #uploads: RequestUploads;
    #path: string | undefined;
    #isSaved = false;

    constructor({ blob, path, uploads }: StoredFile, { field, filename, mediaType }: FileLabels) {
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
