import type { UploadedFile } from 'ambit';

/** The files that users attach to notes. Each is stored under the id of its note. */
export interface Files {
  /** Options of the routes that take files. */
  upload: { memorySize: number };
  save(id: string, file: UploadedFile): Promise<void>;
  read(id: string): Promise<ReadableStream>;
  remove(id: string): Promise<void>;
}

/** A worker has no disk: a request keeps its file in memory until it is saved. */
export const upload = { memorySize: 10_000_000 };

/** Files in a bucket of R2. */
export function openBucket(bucket: R2Bucket): Files {
  return {
    upload,

    async save(id, file) {
      await bucket.put(id, await file.arrayBuffer());
    },

    async read(id) {
      const object = await bucket.get(id);
      if (object === null) throw new Error(`The file of note ${id} is missing`);
      return object.body;
    },

    async remove(id) {
      await bucket.delete(id);
    },
  };
}
