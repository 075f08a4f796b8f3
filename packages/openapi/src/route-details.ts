/** The details that contexts declare for their routes: tags, security, descriptions. All routes of the context and its children inherit them. */
import type { Context } from 'ambit';
import type {
  ExternalDocsObject,
  SecurityRequirement,
  SecurityScheme,
  ServerObject,
  TagObject,
} from './document-types.ts';
import type { Json } from './json.ts';
import { checkOptions, checkParts } from './options.ts';
import {
  type Check,
  checkRequirements,
  checkSchemes,
  checkServers,
  checkTagsOrNames,
} from './part-checks.ts';

declare module 'ambit' {
  /** Fields of a route's schema for documents, in addition to those that every schema may have. */
  interface SchemaAnnotations {
    /** The servers of the route, if they are not those of the document. */
    servers?: readonly ServerObject[];
    /** Requests that the server sends, in the format of OpenAPI. The schemas in them are described. */
    callbacks?: { readonly [name: string]: object };
    /** The cookies that the route reads, as an object schema. It is only used for the document: cookies are not validated. */
    cookies?: unknown;
  }
}

/** Details that the routes of a context inherit. The route's own `schema` has precedence. */
export interface RouteDetails {
  /** Tags, in addition to those of outer contexts. A tag that is an object is also described in the document. */
  tags?: readonly (string | TagObject)[];
  /**
   * Security schemes that the context's hooks check, by name. The document declares them, and the routes require them.
   * The schemes of outer contexts are required too, because their hooks run too.
   */
  guards?: { readonly [name: string]: SecurityScheme };
  /** Requirements in the format of OpenAPI, for schemes that are declared elsewhere. `[]` removes all, even those of outer contexts. */
  security?: readonly SecurityRequirement[];
  /** Schemes that are declared but not required. */
  securitySchemes?: { readonly [name: string]: SecurityScheme };
  /** The description of routes that declare none. */
  description?: string;
  /** A link to more documentation, for routes that declare none. */
  externalDocs?: ExternalDocsObject;
  /** The servers of routes that declare none. */
  servers?: readonly ServerObject[];
  /** Whether documents mark the routes as deprecated. */
  deprecated?: boolean;
  /** Whether documents leave out the routes. */
  hide?: boolean;
  /** Whether the framework's own error responses are described. */
  errors?: boolean;
  /** Responses of the context's hooks, such as 401, by status. The format is that of a route's `response`. */
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

const partChecks: Readonly<Record<string, Check>> = {
  tags: checkTagsOrNames,
  guards: checkSchemes,
  security: checkRequirements,
  securitySchemes: checkSchemes,
  servers: checkServers,
};

const detailsOf = new WeakMap<object, RouteDetails[]>();

/**
 * Declares details for all routes of a context and its children, also for those that are declared before. Siblings and
 * ancestors are not affected.
 *
 * @param context The context.
 * @param details The details for the document.
 * @throws {OpenAPIError} for an unknown or invalid detail.
 */
export function describeRoutes(context: Pick<Context, 'addHook'>, details: RouteDetails): void {
  checkOptions(details, types, 'describeRoutes');
  checkParts(details, partChecks, 'describeRoutes');
  const known = detailsOf.get(context);
  if (known === undefined) detailsOf.set(context, [details]);
  else known.push(details);
}

/** The combined details that the routes of one context inherit. */
export interface InheritedDetails {
  readonly tags: readonly string[];
  readonly describedTags: readonly TagObject[];
  /** `undefined` if no context declares requirements. The requirements of the document then apply. */
  readonly security: readonly SecurityRequirement[] | undefined;
  readonly schemes: readonly (readonly [name: string, scheme: SecurityScheme])[];
  readonly hide: boolean;
  readonly errors: boolean | undefined;
  /** The responses by status, in lower case. */
  readonly responses: readonly (readonly [status: string, entry: unknown])[];
  /** Details that the route's own `schema` replaces: description, deprecated, externalDocs, servers, extensions. */
  readonly fields: Json;
}

const replacedFields = ['description', 'deprecated', 'externalDocs', 'servers'] as const;

/** Combines the details that a context and its ancestors declare. */
export function inheritedDetails(context: object): InheritedDetails {
  const tags = new Set<string>();
  const describedTags: TagObject[] = [];
  const schemes: [string, SecurityScheme][] = [];
  const fields: Json = {};
  let security: readonly SecurityRequirement[] | undefined;
  let hide = false;
  let errors: boolean | undefined;
  const responses = new Map<string, unknown>();
  for (const detail of declaredFor(context)) {
    for (const tag of detail.tags ?? []) {
      tags.add(typeof tag === 'string' ? tag : tag.name);
      if (typeof tag !== 'string') describedTags.push(tag);
    }
    schemes.push(...Object.entries(detail.securitySchemes ?? {}), ...Object.entries(detail.guards ?? {}));
    security = addSecurity(security, detail);
    hide = detail.hide ?? hide;
    errors = detail.errors ?? errors;
    for (const [status, entry] of Object.entries(detail.responses ?? {}))
      responses.set(status.toLowerCase(), entry);
    for (const name of replacedFields) if (detail[name] !== undefined) fields[name] = detail[name];
    for (const [name, value] of Object.entries(detail)) if (name.startsWith('x-')) fields[name] = value;
  }
  return {
    tags: [...tags],
    describedTags,
    security,
    schemes,
    hide,
    errors,
    responses: [...responses],
    fields,
  };
}

/** The details that a context and its ancestors declare, the outermost first. */
function declaredFor(context: object): readonly RouteDetails[] {
  const details: RouteDetails[] = [];
  // The object of a context inherits from that of its parent.
  for (let object: object | null = context; object !== null; object = Object.getPrototypeOf(object)) {
    const own = detailsOf.get(object);
    if (own !== undefined) details.unshift(...own);
  }
  return details;
}

/** Hooks of outer contexts run too, so a request must satisfy the requirements of both contexts. */
function addSecurity(
  outer: readonly SecurityRequirement[] | undefined,
  { security, guards }: RouteDetails,
): readonly SecurityRequirement[] | undefined {
  let requirements = outer;
  if (security !== undefined)
    requirements = security.length === 0 ? [] : combineRequirements(requirements, security);
  const names = Object.keys(guards ?? {});
  if (names.length > 0)
    requirements = combineRequirements(requirements, [Object.fromEntries(names.map((name) => [name, []]))]);
  return requirements;
}

function combineRequirements(
  outer: readonly SecurityRequirement[] | undefined,
  inner: readonly SecurityRequirement[],
): readonly SecurityRequirement[] {
  if (outer === undefined || outer.length === 0) return inner;
  return outer.flatMap((one) => inner.map((other) => ({ ...one, ...other })));
}
