/** The parts of a route that know neither request nor context: schemas, constraints, settings, and how routes are named and shown. */
import type { SerializerCompiler, ValidatorCompiler } from './compiler.ts';
import type { LogSerializers } from './logger.ts';

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
