/** Describes the parameters of one operation: those that its schemas declare, and those that its path and its constraints add. */
import type { ParameterObject } from '../document-types.ts';
import type { Json } from '../json.ts';
import type { DocumentedRoute } from './documented-route.ts';
import type { ParameterDescriber, ParameterLocation } from './parameters.ts';
import type { PartDescriber } from './part-describer.ts';

/** OpenAPI ignores header parameters with these names, because media types and security have their own fields. */
const ignoredHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

export interface ParameterSettings {
  readonly parts: PartDescriber;
  readonly parameters: ParameterDescriber;
  /** Parameters that a security scheme already declares. */
  readonly keys: ReadonlySet<string>;
}

/** The schema of the parameters in one location, such as `querystring`. */
interface ParameterPart {
  readonly name: string;
  readonly location: ParameterLocation;
  readonly hint: string;
}

const none: readonly never[] = [];

/** Describes all parameters of a route: those of its path, its query, its headers and its cookies. */
export function describeParameters(
  documented: DocumentedRoute,
  hint: string,
  settings: ParameterSettings,
): ParameterObject[] {
  const { params, querystring, query, headers, cookies } = documented.schema;
  const describePart = (
    name: string,
    location: ParameterLocation,
    part: unknown,
  ): readonly ParameterObject[] =>
    part === undefined || part === null
      ? none
      : parametersOf(documented, part, { name, location, hint }, settings);
  const declaredHeaders = describePart('headers', 'header', headers).filter(
    ({ name }) => !ignoredHeaders.has(name.toLowerCase()),
  );
  return pathParameters(documented, describePart('params', 'path', params), settings.parts).concat(
    describePart('querystring', 'query', querystring ?? query),
    declaredHeaders,
    constraintHeaders(documented, declaredHeaders, settings.parts),
    describePart('cookies', 'cookie', cookies),
  );
}

function parametersOf(
  { route, parameters: inPath }: DocumentedRoute,
  part: unknown,
  { name, location, hint }: ParameterPart,
  { parts, parameters, keys }: ParameterSettings,
): readonly ParameterObject[] {
  const names = location === 'path' ? inPath.map(({ name }) => name) : none;
  const described = parts.memosOf(route.context)[location].get([part, ...names], () => {
    const words = name.charAt(0).toUpperCase() + name.slice(1);
    return parameters.describe(part, location, { route, name, side: 'input', hint: hint + words }, names);
  });
  if (keys.size === 0) return described;
  return described.filter((parameter) => !keys.has(`${location} ${parameter.name.toLowerCase()}`));
}

/** One parameter for each name in the path, in order. The schema may describe all, some or none of them. */
function pathParameters(
  { parameters, names }: DocumentedRoute,
  described: readonly ParameterObject[],
  parts: PartDescriber,
): ParameterObject[] {
  return parameters.map(({ name, pattern }, i) => {
    const declared = described.find((parameter) => parameter.name === name);
    if (declared !== undefined)
      return declared.name === names[i] ? declared : renameParameter(declared, names[i]!, parts);
    const parameter: ParameterObject = { name: names[i]!, in: 'path', required: true };
    parts.setSchema(
      parameter,
      'schema',
      pattern === undefined ? { type: 'string' } : { type: 'string', pattern },
    );
    return parameter;
  });
}

function renameParameter(parameter: ParameterObject, name: string, parts: PartDescriber): ParameterObject {
  const copy = { ...parameter, name };
  if (parameter.schema !== undefined) parts.setSchema(copy, 'schema', parameter.schema as Json);
  return copy;
}

/** A route with a version constraint handles only requests with this version. */
function constraintHeaders(
  { route }: DocumentedRoute,
  headers: readonly ParameterObject[],
  parts: PartDescriber,
): readonly ParameterObject[] {
  const version = route.options.constraints?.version;
  if (version === undefined || headers.some(({ name }) => name.toLowerCase() === 'accept-version'))
    return none;
  const parameter: ParameterObject = { name: 'accept-version', in: 'header', required: true };
  parts.setSchema(parameter, 'schema', { type: 'string', examples: [version] });
  return [parameter];
}
