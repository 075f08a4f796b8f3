/** The parts of an OpenAPI document that applications write or read. What is not named here passes as it is. */

/** What a document says of the API. */
export interface InfoObject {
  /** The name of the API. */
  title: string;
  /** The version of the API. */
  version: string;
  /** What the API does, in a few words. */
  summary?: string;
  /** What the API does, at length. Markdown. */
  description?: string;
  /** URL of the terms of service. */
  termsOfService?: string;
  /** Whom to ask about the API. */
  contact?: { name?: string; url?: string; email?: string };
  /** The license of the API. */
  license?: { name: string; identifier?: string; url?: string };
  [extension: `x-${string}`]: unknown;
}

/** A server that the API can be reached at. */
export interface ServerObject {
  /** The URL that paths follow. It may have variables: `{name}`. */
  url: string;
  /** What the server is for. Markdown. */
  description?: string;
  /** The variables in the URL. */
  variables?: { [name: string]: { default: string; enum?: string[]; description?: string } };
  [extension: `x-${string}`]: unknown;
}

/** A link to more documentation. */
export interface ExternalDocsObject {
  /** Where it is. */
  url: string;
  /** What it is about. Markdown. */
  description?: string;
}

/** A group of operations. */
export interface TagObject {
  /** The name that operations give in `tags`. */
  name: string;
  /** What the group is about. Markdown. */
  description?: string;
  /** A link to more documentation. */
  externalDocs?: ExternalDocsObject;
  [extension: `x-${string}`]: unknown;
}

/** Names of security schemes that must all be satisfied, with the scopes of each. */
export interface SecurityRequirement {
  [scheme: string]: string[];
}

/** How clients authenticate. */
export interface SecurityScheme {
  /** The kind of scheme. */
  type: 'apiKey' | 'http' | 'mutualTLS' | 'oauth2' | 'openIdConnect';
  /** How to use it. Markdown. */
  description?: string;
  /** Of an API key: the name of the header, cookie or parameter. */
  name?: string;
  /** Of an API key: where it is sent. */
  in?: 'query' | 'header' | 'cookie';
  /** Of `http`: `bearer`, `basic` and so on. */
  scheme?: string;
  /** Of `http` with `bearer`: what tokens are, such as `JWT`. */
  bearerFormat?: string;
  /** Of `oauth2`: its flows. */
  flows?: object;
  /** Of `openIdConnect`: the URL to discover it by. */
  openIdConnectUrl?: string;
  [extension: `x-${string}`]: unknown;
}

/** What references in a document lead to. */
export interface ComponentsObject {
  /** Schemas by name. */
  schemas?: { [name: string]: object | boolean };
  /** Responses by name. */
  responses?: { [name: string]: object };
  /** Security schemes by name. */
  securitySchemes?: { [name: string]: SecurityScheme };
  [kind: string]: { [name: string]: unknown } | undefined;
}

/** A route in a document. */
export interface OperationObject {
  /** Its name, unique in the document. */
  operationId: string;
  /** What it does, in a few words. */
  summary?: string;
  /** What it does, at length. Markdown. */
  description?: string;
  /** The groups that it is in. */
  tags?: string[];
  /** Whether clients should no longer use it. */
  deprecated?: boolean;
  /** What a request must pass: one entry of the list. */
  security?: SecurityRequirement[];
  /** Parameters of path, query, headers and cookies. */
  parameters?: ParameterObject[];
  /** The body that it takes. */
  requestBody?: {
    required?: boolean;
    description?: string;
    content: { [mediaType: string]: MediaTypeObject };
  };
  /** Its responses, by status. */
  responses: { [status: string]: ResponseObject };
  [field: string]: unknown;
}

/** A parameter of a request. */
export interface ParameterObject {
  /** Its name. */
  name: string;
  /** Where it is sent. */
  in: 'path' | 'query' | 'header' | 'cookie';
  /** Whether a request must have it. */
  required?: boolean;
  /** What it is for. Markdown. */
  description?: string;
  /** Whether clients should no longer send it. */
  deprecated?: boolean;
  /** Its JSON Schema. */
  schema?: object | boolean;
  [field: string]: unknown;
}

/** A response of a route. */
export interface ResponseObject {
  /** A reference to a response of `components`, instead of everything else. */
  $ref?: string;
  /** What it means. Markdown. */
  description?: string;
  /** Its headers by name. */
  headers?: { [name: string]: object };
  /** Its bodies by media type. */
  content?: { [mediaType: string]: MediaTypeObject };
  /** How to go on from here. */
  links?: object;
  [extension: `x-${string}`]: unknown;
}

/** A body of one media type. */
export interface MediaTypeObject {
  /** Its JSON Schema. */
  schema?: object | boolean;
  [field: string]: unknown;
}

/** The operations of one path, by method in lower case. */
export interface PathItemObject {
  [methodOrField: string]: OperationObject | unknown;
}

/** An OpenAPI document. */
export interface OpenAPIDocument {
  /** The version of OpenAPI. */
  openapi: string;
  /** What the document says of the API. */
  info: InfoObject;
  /** The servers that the API can be reached at. */
  servers?: ServerObject[];
  /** The operations, by path and method. */
  paths: { [path: string]: PathItemObject };
  /** What references lead to. */
  components?: ComponentsObject;
  /** What all operations require that say nothing else. */
  security?: SecurityRequirement[];
  /** The groups of operations. */
  tags?: TagObject[];
  /** A link to more documentation. */
  externalDocs?: ExternalDocsObject;
  /** Requests that the API sends, by name. */
  webhooks?: { [name: string]: object };
  [extension: `x-${string}`]: unknown;
}
