/** The parts of an OpenAPI document that applications write or read. What is not named here passes as it is. */

export interface InfoObject {
  title: string;
  version: string;
  summary?: string;
  description?: string;
  termsOfService?: string;
  contact?: { name?: string; url?: string; email?: string };
  license?: { name: string; identifier?: string; url?: string };
  [extension: `x-${string}`]: unknown;
}

export interface ServerObject {
  url: string;
  description?: string;
  variables?: { [name: string]: { default: string; enum?: string[]; description?: string } };
  [extension: `x-${string}`]: unknown;
}

export interface ExternalDocsObject {
  url: string;
  description?: string;
}

export interface TagObject {
  name: string;
  description?: string;
  externalDocs?: ExternalDocsObject;
  [extension: `x-${string}`]: unknown;
}

/** Names of security schemes that must all be satisfied, with the scopes of each. */
export interface SecurityRequirement {
  [scheme: string]: string[];
}

export interface SecurityScheme {
  type: 'apiKey' | 'http' | 'mutualTLS' | 'oauth2' | 'openIdConnect';
  description?: string;
  /** Of an API key: the name of the header, cookie or parameter. */
  name?: string;
  in?: 'query' | 'header' | 'cookie';
  /** Of `http`: `bearer`, `basic` and so on. */
  scheme?: string;
  bearerFormat?: string;
  flows?: object;
  openIdConnectUrl?: string;
  [extension: `x-${string}`]: unknown;
}

export interface ComponentsObject {
  schemas?: { [name: string]: object | boolean };
  responses?: { [name: string]: object };
  securitySchemes?: { [name: string]: SecurityScheme };
  [kind: string]: { [name: string]: unknown } | undefined;
}

export interface OperationObject {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  deprecated?: boolean;
  security?: SecurityRequirement[];
  parameters?: ParameterObject[];
  requestBody?: {
    required?: boolean;
    description?: string;
    content: { [mediaType: string]: MediaTypeObject };
  };
  responses: { [status: string]: ResponseObject };
  [field: string]: unknown;
}

export interface ParameterObject {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  description?: string;
  deprecated?: boolean;
  schema?: object | boolean;
  [field: string]: unknown;
}

export interface ResponseObject {
  $ref?: string;
  description?: string;
  headers?: { [name: string]: object };
  content?: { [mediaType: string]: MediaTypeObject };
  links?: object;
  [extension: `x-${string}`]: unknown;
}

export interface MediaTypeObject {
  schema?: object | boolean;
  [field: string]: unknown;
}

export interface PathItemObject {
  [methodOrField: string]: OperationObject | unknown;
}

export interface OpenAPIDocument {
  openapi: string;
  info: InfoObject;
  servers?: ServerObject[];
  paths: { [path: string]: PathItemObject };
  components?: ComponentsObject;
  security?: SecurityRequirement[];
  tags?: TagObject[];
  externalDocs?: ExternalDocsObject;
  webhooks?: { [name: string]: object };
  [extension: `x-${string}`]: unknown;
}
