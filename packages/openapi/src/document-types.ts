/** Declares the parts of an OpenAPI document that applications write or read. Fields that are not declared here are kept unchanged. */

/** Information about the API. */
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
  /** How to contact the people who are responsible for the API. */
  contact?: { name?: string; url?: string; email?: string };
  /** The license of the API. */
  license?: { name: string; identifier?: string; url?: string };
  [extension: `x-${string}`]: unknown;
}

/** A server that provides the API. */
export interface ServerObject {
  /** The URL to which paths are appended. It may contain variables: `{name}`. */
  url: string;
  /** What the server is for. Markdown. */
  description?: string;
  /** The variables in the URL. */
  variables?: { [name: string]: { default: string; enum?: string[]; description?: string } };
  [extension: `x-${string}`]: unknown;
}

/** A link to more documentation. */
export interface ExternalDocsObject {
  /** Its URL. */
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
  /** The name of the header, cookie or parameter. For API keys. */
  name?: string;
  /** Where an API key is sent. */
  in?: 'query' | 'header' | 'cookie';
  /** The HTTP scheme: `bearer`, `basic` and so on. For the type `http`. */
  scheme?: string;
  /** The format of bearer tokens, such as `JWT`. */
  bearerFormat?: string;
  /** The flows of `oauth2`. */
  flows?: object;
  /** The discovery URL of `openIdConnect`. */
  openIdConnectUrl?: string;
  [extension: `x-${string}`]: unknown;
}

/** The parts of a document to which references refer. */
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
  /** The security requirements. A request must satisfy one entry of the list. */
  security?: SecurityRequirement[];
  /** Parameters of path, query, headers and cookies. */
  parameters?: ParameterObject[];
  /** The body of a request. */
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
  /** A reference to a response of `components`. If it is set, there are no other fields. */
  $ref?: string;
  /** What it means. Markdown. */
  description?: string;
  /** Its headers by name. */
  headers?: { [name: string]: object };
  /** Its bodies by media type. */
  content?: { [mediaType: string]: MediaTypeObject };
  /** The operations that a client may call with values of this response. */
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
  /** Information about the API. */
  info: InfoObject;
  /** The servers that provide the API. */
  servers?: ServerObject[];
  /** The operations, by path and method. */
  paths: { [path: string]: PathItemObject };
  /** The parts to which references refer. */
  components?: ComponentsObject;
  /** The security requirements of operations without requirements of their own. */
  security?: SecurityRequirement[];
  /** The groups of operations. */
  tags?: TagObject[];
  /** A link to more documentation. */
  externalDocs?: ExternalDocsObject;
  /** The requests that the API sends, by name. */
  webhooks?: { [name: string]: object };
  [extension: `x-${string}`]: unknown;
}
