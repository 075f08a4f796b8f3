/** Owns what contexts say about their routes: tags, security, descriptions that all routes of a context and below it inherit. */
import type { Context } from 'ambit';
import type {
  ExternalDocsObject,
  SecurityRequirement,
  SecurityScheme,
  ServerObject,
  TagObject,
} from './document-types.ts';
import { checkOptions } from './options.ts';

declare module 'ambit' {
  /** What documents say of a route, besides what every schema may say. */
  interface SchemaAnnotations {
    /** Where the route is, where that is not where the rest is. */
    servers?: readonly ServerObject[];
    /** Requests that the server makes on its part, in the words of OpenAPI; the schemas in them are described. */
    callbacks?: { readonly [name: string]: object };
    /** The cookies that the route reads, as an object schema: for the document alone, they are not validated. */
    cookies?: unknown;
  }
}

/** What the routes of a context inherit. A route's own `schema` comes first. */
export interface RouteDetails {
  /** Added to those of outer contexts. Given as an object, a tag is described in the document too. */
  tags?: readonly (string | TagObject)[];
  /**
   * Security schemes that the context's hooks ask for, by name: declared in the document, and required by the routes. Those of inner
   * contexts are required besides those of outer ones, as hooks are.
   */
  guards?: { readonly [name: string]: SecurityScheme };
  /** Requirements in the words of OpenAPI, for schemes that are declared elsewhere; `[]` for none, not even those of outer contexts. */
  security?: readonly SecurityRequirement[];
  /** Schemes that are declared, and not required. */
  securitySchemes?: { readonly [name: string]: SecurityScheme };
  /** The description of routes that have none. */
  description?: string;
  /** A link to more documentation of the routes that have none. */
  externalDocs?: ExternalDocsObject;
  /** The servers of the routes that have none. */
  servers?: readonly ServerObject[];
  /** Whether documents mark the routes as deprecated. */
  deprecated?: boolean;
  /** Whether the routes are left out of documents. */
  hide?: boolean;
  /** Whether the framework's own error responses are described. */
  errors?: boolean;
  /** Responses of the context's hooks, such as 401, by status; in the form of a route's `response`. */
  responses?: { readonly [status: string]: unknown };
  [extension: `x-${string}`]: unknown;
}

const types: Readonly<Record<string, readonly string[]>> = {
  tags: ['array'],
  guards: ['object'],
  security: ['array'],
  securitySchemes: ['object'],
  description: ['string'],
  externalDocs: ['object'],
  servers: ['array'],
  deprecated: ['boolean'],
  hide: ['boolean'],
  errors: ['boolean'],
  responses: ['object'],
};

const detailsOf = new WeakMap<object, RouteDetails[]>();

/**
 * Says something about all routes of a context and below it, declared before or after. Siblings and ancestors do not see it.
 *
 * @param context The context.
 * @param details What documents say of its routes.
 * @throws {OpenAPIError} for an unknown detail.
 */
export function describeRoutes(context: Pick<Context, 'addHook'>, details: RouteDetails): void {
  checkOptions(details, types, 'describeRoutes');
  const known = detailsOf.get(context);
  if (known === undefined) detailsOf.set(context, [details]);
  else known.push(details);
}

/** What is said in a context and its ancestors, the outermost first. */
export function detailsFor(context: object): readonly RouteDetails[] {
  const details: RouteDetails[] = [];
  // A context inherits from its parent.
  for (let object: object | null = context; object !== null; object = Object.getPrototypeOf(object)) {
    const own = detailsOf.get(object);
    if (own !== undefined) details.unshift(...own);
  }
  return details;
}
