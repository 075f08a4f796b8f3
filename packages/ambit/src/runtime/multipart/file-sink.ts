/** Stores the bytes of one file while they arrive: in memory, or on disk if the request must not keep more bytes in memory. */
import { openAsBlob } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { RequestUploads } from './request-uploads.ts';

/** How many more bytes of its files a request may keep in memory. */
export interface MemoryBudget {
  leftBytes: number;
}

/** The complete bytes of a file. */
export interface CompleteFile {
  readonly blob: Blob;
  readonly path: string | undefined;
}

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
  async end(): Promise<CompleteFile> {
    await this.#opening;
    const stream = this.#stream;
    if (stream === undefined) return { blob: new Blob(this.#chunks), path: undefined };
    stream.end();
    await finished(stream);
    return { blob: await openAsBlob(this.#path!), path: this.#path };
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
