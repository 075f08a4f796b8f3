/** Stores one file of a form, and creates the value that the handler gets. */
import type { Readable } from 'node:stream';
import { FileTooLarge, UploadNotStored } from '../../types/errors.ts';
import { FileSink, type MemoryBudget } from './file-sink.ts';
import type { FormLimits } from './form-limits.ts';
import type { PartHead } from './part-head.ts';
import type { PartTarget } from './part-target.ts';
import type { RequestUploads } from './request-uploads.ts';
import { uploadedFileClass } from './uploaded-file.ts';

/** The settings that all files of one request share. */
export interface FileSettings {
  readonly limits: Pick<FormLimits, 'fileSize'>;
  readonly uploads: RequestUploads;
  readonly budget: MemoryBudget;
  /** Called if a file cannot be stored while it arrives. */
  readonly onFailure: (error: unknown) => void;
}

export function openFile(
  part: Readable,
  { field, filename, mediaType }: PartHead,
  settings: FileSettings,
): PartTarget {
  const { uploads, budget, onFailure } = settings;
  const { fileSize } = settings.limits;
  const sink = new FileSink(part, uploads, budget);
  const reportFailure = (cause: unknown): void => onFailure(UploadNotStored.at({ cause }, field));
  let sizeBytes = 0;
  return {
    write: (chunk) => {
      sizeBytes += chunk.length;
      if (sizeBytes > fileSize) throw new FileTooLarge(field, fileSize);
      sink.write(chunk, reportFailure);
    },
    end: () => {
      // Browsers send this for a file input without a file.
      if (filename === '' && sizeBytes === 0) return undefined;
      return sink.end().then(
        (stored) => {
          const UploadedFile = uploadedFileClass();
          const info = { field, filename: filename ?? '', mediaType };
          return { field, value: new UploadedFile({ ...stored, uploads }, info) };
        },
        (cause) => {
          throw UploadNotStored.at({ cause }, field);
        },
      );
    },
  };
}
