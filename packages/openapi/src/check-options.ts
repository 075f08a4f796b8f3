/** Checks the options of the plugin and of `toOpenAPI`. */
import { nearestName } from 'ambit';
import { OpenAPIError } from './openapi-error.ts';
import { versions } from './openapi-version.ts';
import type { DocumentOptions, OpenAPIOptions } from './options.ts';
import {
  type Check,
  checkRequirements,
  checkSchemes,
  checkServers,
  checkTags,
  typeOf,
} from './part-checks.ts';

const documentTypes: Readonly<Record<string, readonly string[]>> = {
  openapi: ['string'],
  info: ['object'],
  servers: ['array'],
  security: ['array'],
  tags: ['array'],
  externalDocs: ['object'],
  components: ['object'],
  webhooks: ['object'],
  errors: ['boolean'],
  dialect: ['draft-07', '2020-12'],
  describe: ['function'],
  transform: ['function'],
};

const pluginTypes: Readonly<Record<string, readonly string[]>> = {
  ...documentTypes,
  json: ['string', 'false'],
  yaml: ['string', 'false'],
  docs: ['string', 'false', 'object'],
};

const docsTypes: Readonly<Record<string, readonly string[]>> = {
  path: ['string'],
  ui: ['string'],
  configuration: ['object'],
};

/** The options that `register` itself reads. */
const registerOptions: readonly string[] = ['prefix', 'logLevel', 'logSerializers'];

/** @throws {OpenAPIError} for an unknown name, or an invalid value. */
export function checkDocumentOptions(options: DocumentOptions, owner: string): void {
  checkOptions(options, documentTypes, owner);
  checkDocumentValues(options, owner);
}

/** @throws {OpenAPIError} */
export function checkPluginOptions(options: OpenAPIOptions, owner: string): void {
  checkOptions(options, pluginTypes, owner, registerOptions);
  checkDocumentValues(options, owner);
  for (const name of ['json', 'yaml'] as const) checkPath(options[name], `${owner}: ${name}`);
  const { docs } = options;
  if (typeof docs !== 'object') {
    checkPath(docs, `${owner}: docs`);
    return;
  }
  checkOptions(docs, docsTypes, `${owner}: docs`);
  checkPath(docs.path, `${owner}: docs.path`);
  const { ui = 'scalar' } = docs;
  if (ui !== 'scalar' && ui !== 'swagger-ui')
    throw optionError(`${owner}: docs.ui must be 'scalar' or 'swagger-ui', instead got '${ui}'`);
}

const partChecks: Readonly<Record<string, Check>> = {
  servers: checkServers,
  security: checkRequirements,
  tags: checkTags,
};

function checkDocumentValues(options: DocumentOptions, owner: string): void {
  const { openapi = '3.1', info, components = {} } = options;
  if (!Object.hasOwn(versions, openapi))
    throw optionError(
      `${owner}: openapi must be one of ${Object.keys(versions).join(', ')}, instead got '${openapi}'`,
    );
  for (const field of ['title', 'version'] as const) {
    if (info !== undefined && typeof info[field] !== 'string')
      throw optionError(`${owner}: info.${field} must be a string, instead got ${typeOf(info[field])}`);
  }
  checkParts(options, partChecks, owner);
  checkParts(components, { securitySchemes: checkSchemes }, `${owner}: components`);
}

/** Checks the members of options that applications write in the format of OpenAPI. @throws {OpenAPIError} */
export function checkParts(options: object, checks: Readonly<Record<string, Check>>, owner: string): void {
  for (const [name, check] of Object.entries(checks)) {
    const value = (options as Record<string, unknown>)[name];
    const fault = value === undefined ? undefined : check(value);
    if (fault !== undefined) throw optionError(`${owner}: ${name}${fault}`);
  }
}

function checkPath(path: string | false | undefined, owner: string): void {
  if (typeof path === 'string' && !path.startsWith('/'))
    throw optionError(`${owner} must start with a slash, instead got '${path}'`);
}

/** Checks the names and types of options. @param known Names that are allowed and not checked further. */
export function checkOptions(
  options: object,
  types: Readonly<Record<string, readonly string[]>>,
  owner: string,
  known: readonly string[] = [],
): void {
  if (typeof options !== 'object' || options === null)
    throw optionError(`${owner}: the options must be an object, instead got ${typeOf(options)}`);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || name.startsWith('x-') || known.includes(name)) continue;
    const allowed = Object.hasOwn(types, name) ? types[name]! : undefined;
    if (allowed === undefined) {
      const nearest = nearestName(name, [...Object.keys(types), ...known]);
      throw optionError(
        `unknown option '${name}' of ${owner}${nearest === undefined ? '' : `; did you mean '${nearest}'?`}`,
      );
    }
    if (!allowed.includes(typeOf(value)) && !allowed.includes(String(value)))
      throw optionError(
        `${owner}: ${name} must be ${allowed.join(' or ')}, instead got ${describeValue(value, allowed)}`,
      );
  }
}

/** The value itself if only a few values are allowed, otherwise its type. */
function describeValue(value: unknown, allowed: readonly string[]): string {
  return typeof value === 'string' && allowed === documentTypes.dialect ? value : typeOf(value);
}

function optionError(message: string): OpenAPIError {
  return new OpenAPIError('AMBIT_ERR_OPENAPI_OPTION', message);
}

/** The plugin's options that belong to the document. */
export function documentOptionsOf(options: OpenAPIOptions): DocumentOptions {
  const names = Object.keys(options).filter((name) => name in documentTypes || name.startsWith('x-'));
  return Object.fromEntries(names.map((name) => [name, (options as Record<string, unknown>)[name]]));
}
