/** Declares the options of documents and of the plugin. */

import type {
  ComponentsObject,
  ExternalDocsObject,
  InfoObject,
  OpenAPIDocument,
  SecurityRequirement,
  ServerObject,
  TagObject,
} from './document-types.ts';
import type { OpenAPIVersion } from './openapi-version.ts';
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
