/** Checks the option `multipart` of applications and routes. */
import type { MultipartOptions } from '../../types/multipart.ts';
import { checkNames, checkTypes, type OptionTypes } from './check-options.ts';

/** The smallest allowed value of each number. */
const smallest = {
  fileSize: 1,
  files: 0,
  fieldSize: 1,
  fields: 0,
  fieldNameSize: 1,
  headerSize: 1,
  memorySize: 0,
} as const satisfies Partial<Record<keyof MultipartOptions, number>>;

const types: OptionTypes = { multipart: ['object'] };
const memberTypes: OptionTypes = { folder: ['string'] };

/**
 * @param multipart The value of the option.
 * @param makeError Makes the error for a value that is not allowed.
 * @throws {UnknownOption} for a name that is not an option.
 */
export function checkMultipart(multipart: unknown, makeError: (problem: string) => Error): void {
  checkTypes({ multipart }, types, makeError);
  if (typeof multipart !== 'object' || multipart === null) return;
  checkNames(multipart, [...Object.keys(smallest), 'folder'], 'multipart');
  checkTypes(multipart, memberTypes, (problem) => makeError(`multipart.${problem}`));
  for (const [name, from] of Object.entries(smallest)) {
    const value = (multipart as Record<string, unknown>)[name];
    if (value !== undefined && !(Number.isInteger(value) && (value as number) >= from))
      throw makeError(`multipart.${name} must be an integer >= ${from}, instead got ${value}`);
  }
}
