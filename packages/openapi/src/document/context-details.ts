/** Combines the details that a context and its ancestors declare for their routes. */
import type { SecurityRequirement, SecurityScheme, TagObject } from '../document-types.ts';
import type { Json } from '../json.ts';
import type { RouteDetails } from '../route-details.ts';

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

/** @param details The outermost first. */
export function mergeDetails(details: readonly RouteDetails[]): InheritedDetails {
  const tags = new Set<string>();
  const describedTags: TagObject[] = [];
  const schemes: [string, SecurityScheme][] = [];
  const fields: Json = {};
  let security: readonly SecurityRequirement[] | undefined;
  let hide = false;
  let errors: boolean | undefined;
  const responses = new Map<string, unknown>();
  for (const detail of details) {
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
