/** The errors of `multipart/form-data` bodies. */

import type { ErrorClass } from '../../shared/coded-error.ts';
import { defineError } from '../../shared/define-error.ts';

/** The body is not a valid `multipart/form-data` body (RFC 7578), or a field cannot be read. */
export const MultipartInvalid: ErrorClass<[problem: string]> = defineError({
  code: 'AMBIT_ERR_MULTIPART_INVALID',
  status: 400,
  message: 'Body is not valid multipart/form-data: %s',
});
/** A file is larger than `multipart.fileSize`. */
export const FileTooLarge: ErrorClass<[field: string, limitBytes: number]> = defineError({
  code: 'AMBIT_ERR_FILE_TOO_LARGE',
  status: 413,
  message: "The file in field '%s' is larger than %d bytes",
  hint: 'raise `multipart.fileSize` on the route',
});
/** The body has more files than `multipart.files`. */
export const FilesTooMany: ErrorClass<[field: string, limit: number]> = defineError({
  code: 'AMBIT_ERR_TOO_MANY_FILES',
  status: 413,
  message: (field, limit) =>
    `The body has more than ${limit} files: the file in field '${field}' is one too many`,
  hint: 'raise `multipart.files` on the route',
});
/** The value of a field is larger than `multipart.fieldSize`. */
export const FieldTooLarge: ErrorClass<[field: string, limitBytes: number]> = defineError({
  code: 'AMBIT_ERR_FIELD_TOO_LARGE',
  status: 413,
  message: "The field '%s' is larger than %d bytes",
  hint: 'raise `multipart.fieldSize` on the route',
});
/** The body has more fields than `multipart.fields`. */
export const FieldsTooMany: ErrorClass<[field: string, limit: number]> = defineError({
  code: 'AMBIT_ERR_TOO_MANY_FIELDS',
  status: 413,
  message: (field, limit) => `The body has more than ${limit} fields: the field '${field}' is one too many`,
  hint: 'raise `multipart.fields` on the route',
});
/** The name of a field is longer than `multipart.fieldNameSize`. */
export const FieldNameTooLong: ErrorClass<[start: string, limitBytes: number]> = defineError({
  code: 'AMBIT_ERR_FIELD_NAME_TOO_LONG',
  status: 413,
  message: "The name of the field '%s…' is longer than %d bytes",
  hint: 'raise `multipart.fieldNameSize` on the route',
});
/** The head of a part is larger than `multipart.headerSize`. */
export const PartHeadTooLarge: ErrorClass<[field: string, limitBytes: number]> = defineError({
  code: 'AMBIT_ERR_PART_HEAD_TOO_LARGE',
  status: 413,
  message: "The head of the part for field '%s' is larger than %d bytes",
  hint: 'raise `multipart.headerSize` on the route',
});
/** An uploaded file could not be written to the temporary folder; `cause` says why. */
export const UploadNotStored: ErrorClass<[field: string]> = defineError({
  code: 'AMBIT_ERR_UPLOAD_NOT_STORED',
  message: "The file in field '%s' cannot be stored",
});
/** An uploaded file is read after its response has ended. */
export const UploadRemoved: ErrorClass<[]> = defineError({
  code: 'AMBIT_ERR_UPLOAD_REMOVED',
  message: 'The uploaded file was removed when its response ended',
  hint: 'call `saveTo` before the response ends',
});
