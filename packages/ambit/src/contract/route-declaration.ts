/** The parts of a route that know neither request nor context: schemas, constraints, settings, and how routes are named and shown. */
import type { SerializerCompiler, ValidatorCompiler } from './compiler.ts';
import type { LogSerializers } from './logger.ts';

/** A schema as a route may give it: JSON Schema in full or in short form, a boolean, or another library's object. */
export type PartSchema = unknown;

/**
 * What a route's schema says besides, for documents that are made of it. Names that begin with `x-` are free. A plugin that reads more
 * declares it: `declare module 'ambit' { interface SchemaAnnotations { rateLimit?: number } }`.
 */
export interface SchemaAnnotations {
  /** The groups that documents show the route in. */
  tags?: readonly string[];
  /** What the route does, in a few words. */
  summary?: string;
  /** What the route does, at length; Markdown. */
  description?: string;
  /** The name of the operation, for generated clients: unique in the document. */
  operationId?: string;
  /** The security schemes that a request must pass: one of the list, and of an entry all. */
  security?: readonly { readonly [scheme: string]: readonly string[] }[];
  deprecated?: boolean;
  /** Whether documents leave the route out. */
  hide?: boolean;
  externalDocs?: { readonly url: string; readonly description?: string };
  /** The media types of bodies, where documents cannot tell them from the schema. */
  consumes?: readonly string[];
  /** The media types of replies, where documents cannot tell them from the schema. */
  produces?: readonly string[];
  [extension: `x-${string}`]: unknown;
}

/** The schemas of a route (specification 3.1). */
export interface RouteSchema extends SchemaAnnotations {
  /** Validates the body of the methods that have one. */
  body?: PartSchema;
  /** Validates the query string. */
  querystring?: PartSchema;
  /** Alias of `querystring`. */
  query?: PartSchema;
  /** Validates the parameters of the path. */
  params?: PartSchema;
  /** Validates the headers. */
  headers?: PartSchema;
  /** Serializes replies: by status, by class of statuses as in `2xx`, or `default` (specification 6.1). */
  response?: { readonly [status: string | number]: unknown };
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

/** What a route is given that no request, reply or context has a part in. */
export interface RouteSettings {
  schema?: RouteSchema;
  /** When true, a failed validation does not end the request: the handler finds it in `request.validationError`. */
  attachValidation?: boolean;
  validatorCompiler?: ValidatorCompiler;
  serializerCompiler?: SerializerCompiler;
  /** Largest body in bytes: integer > 0. The default is the option of the root, 1 MiB. */
  bodyLimit?: number;
  /** Longest time in milliseconds until the reply is sent: integer > 0. Without it there is no limit. */
  handlerTimeout?: number;
  config?: RouteConfig;
  constraints?: RouteConstraints;
  /** Whether a GET route answers HEAD too. The default is the option of the root, true. */
  exposeHeadRoute?: boolean;
  /** How the URL `/` under a prefix is registered: as `/prefix`, `/prefix/` or both, which is the default. */
  prefixTrailingSlash?: 'both' | 'slash' | 'no-slash';
  logLevel?: string;
  logSerializers?: LogSerializers;
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
