/** The limits of forms, with their defaults. */
import type { MultipartOptions } from '../../types/multipart.ts';

/** The options with their defaults. With `Infinity`, only the limit of the body applies. */
export type FormLimits = Required<Omit<MultipartOptions, 'folder'>> & { readonly folder: string | undefined };

const defaults: FormLimits = {
  fileSize: Number.POSITIVE_INFINITY,
  files: 100,
  fieldSize: Number.POSITIVE_INFINITY,
  fields: 1000,
  fieldNameSize: 100,
  headerSize: 16_384,
  memorySize: 1_048_576,
  folder: undefined,
};

/** @param options The options of the application, then those of the route. */
export function resolveLimits(...options: (MultipartOptions | undefined)[]): FormLimits {
  const limits: Record<string, unknown> = { ...defaults };
  for (const [name, value] of options.flatMap((limits) => Object.entries(limits ?? {}))) {
    if (value !== undefined) limits[name] = value;
  }
  return limits as unknown as FormLimits;
}
