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
  { params, querystring, headers, body }: RequestSchemas,
  response: ReadonlyMap<string, ContentSchemas>,
): RouteSchema {
  completeInPlace(schema);
  const declared = schema as Readonly<Record<string, unknown>>;
  const changes: Record<string, unknown> = {};
  const publish = (name: string, value: unknown): void => {
    if (value !== declared[name]) changes[name] = value;
  };
  publish('params', params);
  publish('querystring', querystring);
  publish('headers', headers);
  if (declared.query !== undefined) publish('query', querystring);
  if (body !== undefined) publish('body', body.publicSchema);
  const entries = [...response].filter(([status, entry]) => entry.publicSchema !== schema.response![status]);
  if (entries.length > 0) {
    const changed = entries.map(([status, entry]) => [status, entry.publicSchema] as const);
    changes.response = { ...schema.response, ...Object.fromEntries(changed) };
  }
  const result = Object.keys(changes).length === 0 ? schema : { ...schema, ...changes };
  if (declared.query !== undefined) completed.add(schema).add(result);
  return result;
}

function completeInPlace(schema: RouteSchema): void {
  const { query, querystring = query } = schema;
  const declared = schema as Readonly<Record<string, unknown>>;
  const built: Record<string, unknown> = {};
  const complete = (name: string, part: unknown): void => {
    const plain = plainSchema(part);
    if (plain !== declared[name]) built[name] = plain;
  };
  for (const name of Object.keys(schema)) complete(name, declared[name]);
  if (query !== undefined) complete('querystring', querystring);
  // The same object under both names tells another application that they are one schema.
  if (query !== undefined) Object.assign(built, built.query !== undefined && { querystring: built.query });
  try {
    Object.assign(schema, built);
  } catch {
    // The declared schema is frozen: the copy is enough.
  }
}
