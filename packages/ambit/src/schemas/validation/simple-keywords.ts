/** The keywords of JSON Schema that the pre-check can check by their value alone. */
import { textFormatNames } from './ajv-names.ts';

const textFormats: ReadonlySet<unknown> = textFormatNames;

export const isText = (value: unknown): boolean => typeof value === 'string';
export const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isNumber = (value: unknown): boolean => Number.isFinite(value);
const isSize = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;

/** For each keyword, the type of data that it applies to, and the check of its value. */
export const simpleKeywords: Readonly<
  Record<string, { dataType?: string; isValid: (value: unknown) => boolean }>
> = {
  title: { isValid: isText },
  description: { isValid: isText },
  $comment: { isValid: isText },
  examples: { isValid: Array.isArray },
  readOnly: { isValid: isFlag },
  writeOnly: { isValid: isFlag },
  const: { isValid: () => true },
  enum: { isValid: isEnum },
  minLength: { dataType: 'string', isValid: isSize },
  maxLength: { dataType: 'string', isValid: isSize },
  pattern: { dataType: 'string', isValid: isPattern },
  format: { dataType: 'string', isValid: (value) => textFormats.has(value) },
  minimum: { dataType: 'number', isValid: isNumber },
  maximum: { dataType: 'number', isValid: isNumber },
  exclusiveMinimum: { dataType: 'number', isValid: isNumber },
  exclusiveMaximum: { dataType: 'number', isValid: isNumber },
  multipleOf: { dataType: 'number', isValid: (value) => isNumber(value) && (value as number) > 0 },
  minItems: { dataType: 'array', isValid: isSize },
  maxItems: { dataType: 'array', isValid: isSize },
  uniqueItems: { dataType: 'array', isValid: isFlag },
  minProperties: { dataType: 'object', isValid: isSize },
  maxProperties: { dataType: 'object', isValid: isSize },
  required: { dataType: 'object', isValid: isNameList },
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
