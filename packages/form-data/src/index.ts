/** Reads `multipart/form-data` (RFC 7578): fields, and files in memory or in a temporary folder, within limits. */
export { FileStorage, type FormFile, type StorageOptions } from './file-storage.ts';
export { FormError, type FormErrorCode } from './form-error.ts';
export { type FormEntry, type FormLimits, FormReader, type FormReaderOptions } from './form-reader.ts';
export { boundaryOf, type PartHead } from './part-head.ts';
