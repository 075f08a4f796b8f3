/** Writes back what became of a route's schema, for plugins that read it: short forms expanded, `querystring` beside `query`. */
import type { RouteSchema } from '../contract/route-schema.ts';
import type { ContentSchemas } from './content-schemas.ts';
import { plainSchema } from './fluent-schema.ts';
import type { RequestSchemas } from './request-schemas.ts';

/** Schemas that were given `querystring` here, beside their `query`. */
const completed = new WeakSet<object>();

/**
 * Whether `query` and `querystring` are the same schema because it was normalized before: routes share schemas, and a HEAD route has the
 * schema of its GET.
 */
export function isNormalized(schema: RouteSchema): boolean {
  const { query, querystring } = schema;
  // Another application may have normalized it: then the same object has both names.
  return completed.has(schema) || (query === querystring && typeof query === 'object');
}

/**
 * The schema that plugins read in a route's live options: a copy, unless nothing changed. The object that the route declared also gets
 * what Fastify writes into it (`querystring` beside `query`, and schemas in place of their builders), because plugins may hold that object.
 */
export function toPublicSchema(
  schema: RouteSchema,
  { body, ...parts }: RequestSchemas,
  response: ReadonlyMap<string, ContentSchemas>,
): RouteSchema {
  completeInPlace(schema);
  const declared = schema as Readonly<Record<string, unknown>>;
  const published: Record<string, unknown> = { ...parts };
  if (declared.query !== undefined) published.query = parts.querystring;
  if (body !== undefined) published.body = body.publicSchema;
  const changed = [...response].filter(([status, entry]) => entry.publicSchema !== schema.response![status]);
  if (changed.length > 0) {
    const entries = changed.map(([status, entry]) => [status, entry.publicSchema] as const);
    published.response = { ...schema.response, ...Object.fromEntries(entries) };
  }
  const changes = Object.entries(published).filter(([name, value]) => value !== declared[name]);
  const result = changes.length === 0 ? schema : { ...schema, ...Object.fromEntries(changes) };
  if (declared.query !== undefined) completed.add(schema).add(result);
  return result;
}

function completeInPlace(schema: RouteSchema): void {
  const { query, querystring = query } = schema;
  const built: Record<string, unknown> = {};
  for (const [name, part] of Object.entries({ ...schema, ...(query !== undefined && { querystring }) })) {
    const plain = plainSchema(part);
    if (plain !== (schema as Record<string, unknown>)[name]) built[name] = plain;
  }
  // The same object under both names tells another application that they are one schema.
  if (query !== undefined) Object.assign(built, built.query !== undefined && { querystring: built.query });
  try {
    Object.assign(schema, built);
  } catch {
    // The declared schema is frozen: the copy is enough.
  }
}
