/** The option `schema` of a route. A file of its own, because the index exports all of it, and because the client imports it. */

/** The schema of one part of a request: JSON Schema in full or in short form, a boolean, or another library's schema object. */
export type PartSchema = unknown;

/**
 * What the option `schema` of a route may hold besides schemas, for API documents. Names that begin with `x-` are free. A plugin that reads
 * other names declares them: `declare module 'ambit' { interface SchemaAnnotations { rateLimit?: number } }`.
 */
export interface SchemaAnnotations {
  /** The groups that documents show the route in. */
  tags?: readonly string[];
  /** What the route does, in a few words. */
  summary?: string;
  /** What the route does, at length. Markdown. */
  description?: string;
  /** The name of the operation for generated clients. It must be unique in the document. */
  operationId?: string;
  /** The security schemes that a request must pass: one entry of the list, and all schemes of that entry. */
  security?: readonly { readonly [scheme: string]: readonly string[] }[];
  /** Whether documents mark the route as deprecated. Default `false`. */
  deprecated?: boolean;
  /** Whether documents leave the route out. Default `false`. */
  hide?: boolean;
  /** A link to more documentation. */
  externalDocs?: { readonly url: string; readonly description?: string };
  /** The media types of request bodies, if documents cannot tell them from the schema. */
  consumes?: readonly string[];
  /** The media types of replies, if documents cannot tell them from the schema. */
  produces?: readonly string[];
  [extension: `x-${string}`]: unknown;
}

/** The schemas of a route (specification 3.1). */
export interface RouteSchema extends SchemaAnnotations {
  /** Validates the body, for methods that have one. */
  body?: PartSchema;
  /** Validates the query string. */
  querystring?: PartSchema;
  /** The same as `querystring`. A route must not have both. */
  query?: PartSchema;
  /** Validates the parameters of the path. */
  params?: PartSchema;
  /** Validates the headers. Their names are compared in lower case. */
  headers?: PartSchema;
  /** Serializes replies: a schema for each status, for a class of statuses (`2xx`), or for all others (`default`) (specification 6.1). */
  response?: { readonly [status: string | number]: unknown };
}
