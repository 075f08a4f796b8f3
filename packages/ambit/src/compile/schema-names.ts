/**
 * Reports names in a route's schemas that are almost certainly mistakes: misspelled parts, keywords among the names of a short form, and
 * parameters that differ from those of the path.
 */

import { encodeStep, followReference, keywordsInShortForm, type SchemaLocation } from '@ambit/json-schema';
import { checkSpelling, type KnownNames, reportMistake } from '../context/options/check-options.ts';
import { type ContentSchemas, eachSchema } from '../schemas/content-schemas.ts';
import { parameterNames } from '../shared/typed-calls.ts';
import { isPlainObject } from '../shared/values.ts';
import type { SharedSchemas } from '../types/compilers.ts';
import { OptionInvalid, ParamsMismatched } from '../types/errors.ts';
import type { Compatibility } from '../types/flavor.ts';
import type { RegisteredRoute } from '../types/route-info.ts';
import type { RouteSchema } from '../types/route-schema.ts';
import { warnMisspelled } from '../types/warnings.ts';

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
  compatibility: Compatibility,
): void {
  checkSpelling(schema, spelling, nameOwner(route), compatibility);
}

/** @throws {OptionInvalid} for a schema that is neither full nor a short form, because every property would be sent. */
export function checkForms(
  response: ReadonlyMap<string, ContentSchemas>,
  route: RegisteredRoute,
  compatibility: Compatibility,
): void {
  const check = (schema: unknown, part: string): void => {
    const keywords = keywordsInShortForm(schema).map((keyword) => `'${keyword}'`);
    if (keywords.length === 0) return;
    const problem = `${part} is not the short form, because it has the keyword ${keywords.join(', ')}, and as a full schema it does not declare its other names`;
    reportMistake(compatibility, new OptionInvalid(nameOwner(route), problem));
  };
  for (const [status, entry] of response) eachSchema(entry, `response ${status}`, check);
}

/** A name in which a `params` schema differs from the path of its route. */
interface ParamsMismatch {
  readonly problem: string;
  readonly schemaPath: string;
}

/** What `checkParams` needs to know of the application. */
export interface ParamsSettings {
  readonly checksDeclarations: boolean;
  readonly isProduction: boolean;
  readonly shared: SharedSchemas;
}

/**
 * Rejects a `params` schema with which no request can work: it requires a parameter which the path does not have, or is closed without a
 * parameter of the path. Warns of one that only describes such a parameter. One with a default is allowed.
 *
 * @throws {ParamsMismatched}
 */
export function checkParams(params: unknown, route: RegisteredRoute, settings: ParamsSettings): void {
  const { method, url } = route;
  const names = parameterNames(url);
  const fatal = findMissing(params, names, settings.shared) ?? findForbidden(params, route);
  const mismatch = fatal ?? findDescribed(params, names);
  if (mismatch === undefined) return;
  const { problem, schemaPath } = mismatch;
  const declared = names.map((name) => `'${name}'`).join(', ') || 'none';
  const error = ParamsMismatched.at(
    { where: { part: 'params', schemaPath } },
    method,
    url,
    problem,
    declared,
  );
  if (fatal !== undefined && settings.checksDeclarations) throw error;
  if (!settings.isProduction) warnMisspelled(error.message);
}

/** Finds a parameter that is required, in the schema itself, in a schema that it refers to, or in an `allOf`. */
function findMissing(
  params: unknown,
  names: readonly string[],
  shared: SharedSchemas,
): ParamsMismatch | undefined {
  const visited = new Set<unknown>();
  const search = (schema: unknown, location: SchemaLocation): ParamsMismatch | undefined => {
    if (!isPlainObject(schema) || visited.has(schema)) return undefined;
    visited.add(schema);
    const { required, properties, allOf, $ref } = schema;
    const isMissing = (name: unknown): boolean =>
      typeof name === 'string' && !names.includes(name) && !hasDefault(Object(properties)[name]);
    const missing = Array.isArray(required) ? required.find(isMissing) : undefined;
    if (missing !== undefined)
      return {
        problem: `requires '${missing}', which the path does not have`,
        schemaPath: `${location.pointer}/required`,
      };
    const target = followReference($ref, location, shared);
    const found = target && search(target.schema, target.location);
    if (found !== undefined || !Array.isArray(allOf)) return found;
    for (const [index, part] of allOf.entries()) {
      const inner = search(part, { ...location, pointer: `${location.pointer}/allOf/${index}` });
      if (inner !== undefined) return inner;
    }
    return undefined;
  };
  return search(params, { document: params, pointer: '#' });
}

/**
 * Finds a parameter that `additionalProperties: false` removes or refuses. Parameters of a prefix are allowed, because a plugin need not know
 * under which prefix it is registered.
 */
function findForbidden(params: unknown, { routePath }: RegisteredRoute): ParamsMismatch | undefined {
  const { additionalProperties, properties, patternProperties } = Object(params) as Record<string, unknown>;
  if (additionalProperties !== false || patternProperties !== undefined) return undefined;
  const forbidden = parameterNames(routePath).find((name) => !Object.hasOwn(Object(properties), name));
  if (forbidden === undefined) return undefined;
  return { problem: `forbids '${forbidden}'`, schemaPath: '#/additionalProperties' };
}

/** Finds a parameter that is only described. A `$ref` is not followed: schemas that routes share may have names of other routes. */
function findDescribed(params: unknown, names: readonly string[]): ParamsMismatch | undefined {
  const { properties } = Object(params) as { properties?: unknown };
  const described = Object.entries(Object(properties)).find(
    ([name, schema]) => !names.includes(name) && !hasDefault(schema),
  )?.[0];
  if (described === undefined) return undefined;
  const problem = `describes '${described}', which the path does not have`;
  return { problem, schemaPath: `#/properties/${encodeStep(described)}` };
}

function hasDefault(schema: unknown): boolean {
  return 'default' in Object(schema);
}

function nameOwner({ method, url }: RegisteredRoute): string {
  return `the schema of ${method} ${url}`;
}
