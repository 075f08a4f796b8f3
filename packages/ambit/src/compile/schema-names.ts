/**
 * Reports names in a route's schemas that are almost certainly mistakes: misspelled parts, and keywords among the names of a short form.
 */

import { checkSpelling, type KnownNames } from '../context/options/check-spelling.ts';
import type { Compatibility } from '../contract/compatibility.ts';
import { OptionInvalid } from '../contract/errors.ts';
import type { RegisteredRoute } from '../contract/route-info.ts';
import type { RouteSchema } from '../contract/route-schema.ts';
import { warnMisspelled } from '../contract/warnings.ts';
import { type ContentSchemas, eachSchema } from '../schemas/content-schemas.ts';
import { keywordsInShortForm } from '../schemas/short-form.ts';
import { parameterNames } from '../shared/parameter-names.ts';

/** Keys that OpenAPI plugins read. */
const annotations: ReadonlySet<string> = new Set([
  ...['tags', 'summary', 'description', 'operationId', 'security', 'deprecated', 'hide', 'externalDocs'],
  ...['consumes', 'produces'],
]);

const spelling: KnownNames = {
  known: ['body', 'querystring', 'query', 'params', 'headers', 'response'],
  isAllowed: (name) => annotations.has(name) || /^x-/i.test(name),
};

/** @throws {UnknownOption} */
export function checkPartNames(
  schema: RouteSchema,
  route: RegisteredRoute,
  misspelledNames: Compatibility['misspelledNames'],
): void {
  checkSpelling(schema, spelling, nameOwner(route), misspelledNames);
}

/** @throws {OptionInvalid} for a schema that is neither full nor a short form, because every property would be sent. */
export function checkForms(
  response: ReadonlyMap<string, ContentSchemas>,
  route: RegisteredRoute,
  misspelledNames: Compatibility['misspelledNames'],
): void {
  const check = (schema: unknown, part: string): void => {
    const keywords = keywordsInShortForm(schema).map((keyword) => `'${keyword}'`);
    if (keywords.length === 0) return;
    const problem = `${part} is not the short form, because it has the keyword ${keywords.join(', ')}, and as a full schema it does not declare its other names`;
    const error = new OptionInvalid(nameOwner(route), problem);
    if (misspelledNames === 'error') throw error;
    warnMisspelled(error.message);
  };
  for (const [status, entry] of response) eachSchema(entry, `response ${status}`, check);
}

/**
 * Warns of a `params` schema that requires or describes a parameter which the path does not have. One with a default is allowed. A `$ref` is
 * not followed, because schemas that routes share may have names of other routes.
 */
export function checkParams(params: unknown, { method, url }: RegisteredRoute): void {
  const { required, properties } = Object(params) as { required?: unknown; properties?: unknown };
  const names = parameterNames(url);
  const isUnknown = (name: unknown): name is string => typeof name === 'string' && !names.includes(name);
  const missing = [required ?? []].flat().find(isUnknown);
  const described = Object.entries(Object(properties)).find(
    ([name, schema]) => isUnknown(name) && !('default' in Object(schema)),
  )?.[0];
  const problem = missing ? `requires '${missing}'` : described && `describes '${described}'`;
  if (!problem) return;
  const declared = names.map((name) => `'${name}'`).join(', ') || 'none';
  warnMisspelled(
    `the params schema of ${method} ${url} ${problem}, which the path does not have: its parameters are ${declared}`,
  );
}

function nameOwner({ method, url }: RegisteredRoute): string {
  return `the schema of ${method} ${url}`;
}
