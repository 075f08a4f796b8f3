/** Checks the parts that applications write in the format of OpenAPI, because an invalid part makes the document invalid. */
import { isObject } from './json.ts';

/** Returns what is wrong with a value, or `undefined` if it is valid. The text is appended to the name of the option. */
export type Check = (value: unknown) => string | undefined;

/** Security requirements: `[{ token: [] }]`. */
export const checkRequirements: Check = (value) =>
  checkItems(value, 'an object with a list of scopes for each security scheme', (item) =>
    isObject(item) ? Object.values(item).every(Array.isArray) : false,
  );

/** The tags of a route: `['notes']`. */
export const checkTagNames: Check = (value) =>
  checkItems(value, 'a string', (item) => typeof item === 'string');

/** Tags with a description: `[{ name: 'notes' }]`. */
export const checkTags: Check = (value) => checkItems(value, 'an object with a name', hasName);

/** Tags of a context: names, or tags with a description. */
export const checkTagsOrNames: Check = (value) =>
  checkItems(value, 'a string or an object with a name', (item) => typeof item === 'string' || hasName(item));

/** `[{ url: 'https://example.com' }]`. */
export const checkServers: Check = (value) =>
  checkItems(value, 'an object with a url', (item) => isObject(item) && typeof item.url === 'string');

const schemeTypes: readonly unknown[] = ['apiKey', 'http', 'mutualTLS', 'oauth2', 'openIdConnect'];

/** Security schemes by name: `{ token: { type: 'http', scheme: 'bearer' } }`. */
export const checkSchemes: Check = (value) => {
  for (const [name, scheme] of Object.entries(Object(value) as object)) {
    if (!isObject(scheme)) return `.${name} must be a security scheme, instead got ${typeOf(scheme)}`;
    if (scheme.$ref === undefined && !schemeTypes.includes(scheme.type))
      return `.${name}.type must be one of ${schemeTypes.join(', ')}, instead got ${quoted(scheme.type)}`;
  }
  return undefined;
};

function checkItems(
  value: unknown,
  expected: string,
  isValid: (item: unknown) => boolean,
): string | undefined {
  if (!Array.isArray(value)) return ` must be a list, instead got ${quoted(value)}`;
  for (let i = 0; i < value.length; i++)
    if (!isValid(value[i])) return `[${i}] must be ${expected}, instead got ${quoted(value[i])}`;
  return undefined;
}

function hasName(item: unknown): boolean {
  return isObject(item) && typeof item.name === 'string';
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : typeOf(value);
}

/** The type of a value, in the words of JSON. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
