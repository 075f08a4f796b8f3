/** The keywords of JSON Schema that the pre-check judges by their value alone. */
import { textFormatNames } from './ajv-names.ts';

const textFormats: ReadonlySet<unknown> = textFormatNames;

export const isText = (value: unknown): boolean => typeof value === 'string';
export const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isNumber = (value: unknown): boolean => Number.isFinite(value);
const isSize = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;

/** Keywords that are checked by their value alone, with the type of data that they apply to. */
export const simpleKeywords: Readonly<Record<string, { of?: string; isValid: (value: unknown) => boolean }>> =
  {
    title: { isValid: isText },
    description: { isValid: isText },
    $comment: { isValid: isText },
    examples: { isValid: Array.isArray },
    readOnly: { isValid: isFlag },
    writeOnly: { isValid: isFlag },
    const: { isValid: () => true },
    enum: { isValid: isEnum },
    minLength: { of: 'string', isValid: isSize },
    maxLength: { of: 'string', isValid: isSize },
    pattern: { of: 'string', isValid: isPattern },
    format: { of: 'string', isValid: (value) => textFormats.has(value) },
    minimum: { of: 'number', isValid: isNumber },
    maximum: { of: 'number', isValid: isNumber },
    exclusiveMinimum: { of: 'number', isValid: isNumber },
    exclusiveMaximum: { of: 'number', isValid: isNumber },
    multipleOf: { of: 'number', isValid: (value) => isNumber(value) && (value as number) > 0 },
    minItems: { of: 'array', isValid: isSize },
    maxItems: { of: 'array', isValid: isSize },
    uniqueItems: { of: 'array', isValid: isFlag },
    minProperties: { of: 'object', isValid: isSize },
    maxProperties: { of: 'object', isValid: isSize },
    required: { of: 'object', isValid: isNameList },
  };

function isEnum(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  const isPrimitive = value.every((item) => typeof item !== 'object' || item === null);
  return isPrimitive && new Set(value).size === value.length;
}

function isNameList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;
}

export function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    new RegExp(value, 'u');
    return true;
  } catch {
    return false;
  }
}
