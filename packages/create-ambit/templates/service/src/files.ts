import { createReadStream, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { UploadedFile } from 'ambit';

/** The files that users attach to notes, in a folder. */
export function openFiles(folder: string) {
  mkdirSync(folder, { recursive: true });
  return {
    // Large files are received in the folder in which they are stored: saving one does not copy it to another disk.
    upload: { folder },

    /** The path contains the id of the note, never the name that the client sends. */
    async save(id: string, file: UploadedFile) {
      await file.saveTo(join(folder, id));
    },

    async read(id: string) {
      return createReadStream(join(folder, id));
    },

    async remove(id: string) {
      await rm(join(folder, id), { force: true });
    },
  };
}
