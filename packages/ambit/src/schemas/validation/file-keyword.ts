/** Adds a keyword to Ajv that means a file in the schema of a form. */
import type { Ajv } from 'ajv';
import { isInRange } from '../../shared/media-type.ts';
import type { ValidationProblem } from '../../types/compilers.ts';
import { type FileDemands, fileKeyword } from '../binary-schemas.ts';

export function addFileKeyword(ajv: Ajv): void {
  ajv.addKeyword({ keyword: fileKeyword, schemaType: 'object', errors: 'full', validate: validateFile });
}

/** The function that Ajv calls. Ajv then reads the errors of the call from the property `errors`. */
interface KeywordValidator {
  (demands: FileDemands, data: unknown): boolean;
  errors?: Partial<ValidationProblem>[];
}

export const validateFile: KeywordValidator = (demands, data) => {
  if (data === null && demands.nullable) return true;
  const problem = data instanceof File ? checkFile(data, demands) : notFile;
  if (problem === undefined) return true;
  validateFile.errors = [problem];
  return false;
};

const notFile = { keyword: 'format', params: { format: 'binary' }, message: 'must be a file' };

/** OpenAPI 3.1.1, 4.8.14.4: the length of binary data is its number of octets. */
function checkFile(
  { size, type }: File,
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY, contentMediaType }: FileDemands,
): Partial<ValidationProblem> | undefined {
  if (size > maxLength)
    return problem('maxLength', { limit: maxLength }, `must NOT be larger than ${maxLength} bytes`);
  if (size < minLength)
    return problem('minLength', { limit: minLength }, `must NOT be smaller than ${minLength} bytes`);
  if (contentMediaType === undefined || isOneOf(contentMediaType, type)) return undefined;
  const message = `must be a file of type ${contentMediaType}, but is ${type}`;
  return problem('contentMediaType', { contentMediaType }, message);
}

function problem(keyword: string, params: object, message: string): Partial<ValidationProblem> {
  return { keyword, params: params as Record<string, unknown>, message };
}

/** Whether a type is in a list of types and ranges, separated by commas, as in OpenAPI's encoding objects. */
function isOneOf(ranges: string, type: string): boolean {
  return ranges.split(',').some((range) => isInRange(range.trim().toLowerCase(), type));
}
