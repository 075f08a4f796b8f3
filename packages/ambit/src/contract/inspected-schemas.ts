/** What tools can read about compiled schemas, and about the changes that serializers make. */

/** A change that a serializer made in a value. */
export interface SerializationChange {
  /** The method of the route. */
  readonly method: string;
  /** The URL pattern of the route. */
  readonly url: string;
  /** The key of the response schema: `200`, `2xx`; `undefined` for a schema that a handler compiled itself. */
  readonly status: string | undefined;
  /** The media type, if the schema belongs to one. */
  readonly contentType: string | undefined;
  /** `dropped`: an undeclared property was left out. `coerced`: a value was converted. `missing`: a required property was not there. */
  readonly kind: 'dropped' | 'coerced' | 'missing';
  /** JSON Pointer of the value (RFC 6901), empty for the whole value. Items of one array are reported once. */
  readonly path: string;
  /** The change in words. */
  readonly message: string;
  /** Whether nothing further is reported for this response schema: it has had 100 changes. */
  readonly isLast: boolean;
}

/** One compiled schema of a route, as `listCompiledSchemas` returns it. */
export interface CompiledSchemaInfo {
  /** `body`, `params`, `querystring`, `headers`, or `response`. */
  readonly part: 'body' | 'params' | 'querystring' | 'headers' | 'response';
  /** The key of a response schema: `200`, `2xx`, `default`. */
  readonly status: string | undefined;
  /** The media type, if the schema belongs to one. */
  readonly contentType: string | undefined;
  /** The schema as the route declares it. */
  readonly declared: unknown;
  /** The schema as it was compiled: short forms in full. */
  readonly resolved: unknown;
  /**
   * The generated code that validates or serializes the part; `undefined` if another library does that, or if the code is not available.
   */
  readonly code: string | undefined;
}
