/** Declares the model of the schemas of a route. */

/** The result of `inspectRoute`: the schemas of a route, and the changes by its serializers so far. */
export interface RouteInspection {
  /** The index of the route in `routes`. */
  readonly id: number;
  /** The schemas of the route, those of the request first. */
  readonly schemas: readonly SchemaModel[];
  /** Empty unless `inspector` is registered. */
  readonly changes: readonly ChangeModel[];
  /** The shared schemas that the context of the route sees, by `$id`. */
  readonly shared: { readonly [id: string]: unknown };
}

/** A schema of a route. */
export interface SchemaModel {
  /** The part of the request, or the response. */
  readonly part: 'body' | 'params' | 'querystring' | 'headers' | 'response';
  /** The key of a response schema. */
  readonly status: string | null;
  /** The media type, if the schema belongs to one. */
  readonly contentType: string | null;
  /** As the route declares it. A value that JSON cannot express is a text in square brackets. */
  readonly declared: unknown;
  /**
   * As it was compiled: short forms are expanded, references to shared schemas are replaced with these schemas, and schemas of other
   * libraries are JSON Schema. A recursive reference is a JSON Pointer into this schema: `#/properties/child`.
   */
  readonly resolved: unknown;
  /** The code that validates or serializes the part; `null` if another library does. */
  readonly code: string | null;
}

/** A change that a serializer made in a value. */
export interface ChangeModel {
  /** The key of the response schema; `null` for a schema that a handler compiled. */
  readonly status: string | null;
  /** `dropped`: an undeclared property was left out. `coerced`: a value was converted. `missing`: a required property was missing. */
  readonly kind: 'dropped' | 'coerced' | 'missing';
  /** JSON Pointer of the value. */
  readonly path: string;
  /** The change in words. */
  readonly message: string;
}
