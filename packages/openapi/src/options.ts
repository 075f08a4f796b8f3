/** The options of documents and of the plugin: what they are, and how they are checked. */
import { nearestName } from 'ambit';
import type {
  ComponentsObject,
  ExternalDocsObject,
  InfoObject,
  OpenAPIDocument,
  SecurityRequirement,
  ServerObject,
  TagObject,
} from './document-types.ts';
import { OpenAPIError } from './openapi-error.ts';
import {
  type Check,
  checkRequirements,
  checkSchemes,
  checkServers,
  checkTags,
  typeOf,
} from './part-checks.ts';
import type { DescribeSchema } from './schema/plain-schema.ts';

/** Options of a document, in addition to its routes. */
export interface DocumentOptions {
  /** The version of OpenAPI. The default is `'3.1'`. */
  openapi?: OpenAPIVersion | '3.0.3' | '3.1.0' | '3.2.0';
  /** Title and version of the API. The default is `{ title: 'API', version: '0.0.0' }`. */
  info?: InfoObject;
  /** The servers that provide the API. */
  servers?: ServerObject[];
  /** The security requirements of routes for which neither the route nor its contexts declare any. */
  security?: SecurityRequirement[];
  /** The groups of routes, with their descriptions. */
  tags?: TagObject[];
  /** A link to more documentation. */
  externalDocs?: ExternalDocsObject;
  /** Parts to which references refer, in addition to the shared schemas. */
  components?: ComponentsObject;
  /** Requests that the API sends, by name. */
  webhooks?: { [name: string]: object };
  /**
   * Whether the framework's own error responses are described. By default, they are for routes without an error handler
   * of the application.
   */
  errors?: boolean;
  /** The dialect of schemas without `$schema`. The default is the option `ajv.dialect` of the application. */
  dialect?: 'draft-07' | '2020-12';
  /** Returns the JSON Schema for a schema of another library, if the library cannot create it. */
  describe?: DescribeSchema;
  /** Called last, with the whole document. It must return the document to use, changed or not. */
  transform?: (document: OpenAPIDocument) => OpenAPIDocument;
  [extension: `x-${string}`]: unknown;
}

/** The documentation page. */
export interface DocsOptions {
  /** Where the page is, below the prefix of the context. The default is `'/docs'`. */
  path?: string;
  /** Which page it is. The default is `'scalar'`; `'swagger-ui'` needs the package `swagger-ui-dist`. */
  ui?: 'scalar' | 'swagger-ui';
  /** Options of the page itself, as JSON: the configuration of Scalar, or the options of Swagger UI. */
  configuration?: { [option: string]: unknown };
}

/** The options of the plugin `openapi`. */
export interface OpenAPIOptions extends DocumentOptions {
  /** The path of the document, below the prefix of the context; `false` to not serve it. The default is `'/openapi.json'`. */
  json?: string | false;
  /** The path of the document in YAML; `false` to not serve it. The default is `'/openapi.yaml'`. */
  yaml?: string | false;
  /** The path or the options of the page; `false` to not serve it. The default is `'/docs'`. */
  docs?: string | false | DocsOptions;
}

/** A version of OpenAPI in which documents can be written. */
export type OpenAPIVersion = '3.0' | '3.1' | '3.2';

/** The versions, and how a document writes each. The option takes both. */
const versions = { '3.0': '3.0.3', '3.1': '3.1.0', '3.2': '3.2.0' } as const;
const versionTexts: readonly string[] = Object.entries(versions).flat();

export function versionOf({ openapi = '3.1' }: DocumentOptions): { version: OpenAPIVersion; text: string } {
  const version = openapi.slice(0, 3) as OpenAPIVersion;
  return { version, text: versions[version] };
}

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
  if (!versionTexts.includes(openapi))
    throw optionError(
      `${owner}: openapi must be one of ${versionTexts.join(', ')}, instead got '${openapi}'`,
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
