/** The parts of a route that know neither request nor context: schemas, constraints, and how routes are named and shown. */

/** A schema as a route may give it: JSON Schema in full or in short form, a boolean, or another library's object. */
export type PartSchema = unknown;

/** The schemas of a route (spec 2.2). */
export interface RouteSchema {
  body?: PartSchema;
  querystring?: PartSchema;
  /** Alias of `querystring`. */
  query?: PartSchema;
  params?: PartSchema;
  headers?: PartSchema;
  /** By status, `2xx`, or `default` (spec 2.4). */
  response?: { [status: string | number]: unknown };
  [annotation: string]: unknown;
}

/** What a request must carry, besides method and URL, for a route to match. */
export interface RouteConstraints {
  version?: string;
  host?: string | RegExp;
  [strategy: string]: unknown;
}

/** Route configuration that plugins and handlers read as `request.routeOptions.config`. */
export interface RouteConfig {
  [key: string]: unknown;
}

/** A strategy that tells routes of one URL apart by something else in the request. */
export interface ConstraintStrategy {
  name: string;
  /** Whether routes without the constraint are passed over when a request carries a value for it. */
  mustMatchWhenDerived?: boolean;
  storage(): {
    get(value: never): unknown;
    set(value: never, handler: never): void;
    del?(value: never): void;
    empty?(): void;
  };
  validate?(value: unknown): void;
  deriveConstraint(
    request: never,
    context?: unknown,
    done?: (error: Error | null, value?: unknown) => void,
  ): unknown;
}

/** Names a route for `hasRoute` and `findRoute`. */
export interface RouteQuery {
  url: string;
  method: string;
  constraints?: RouteConstraints;
}

export interface PrintRoutesOptions {
  method?: string;
  commonPrefix?: boolean;
  includeMeta?: boolean | (string | symbol)[];
  includeHooks?: boolean;
}
