/** Builds the schema that plugins read in a route's options: with expanded short forms, and `querystring` beside `query`. */
import { plainSchema } from '@ambit/json-schema';
import type { RouteSchema } from '../types/route-schema.ts';
import type { ContentSchemas } from './content-schemas.ts';
import type { RequestSchemas } from './request-schemas.ts';

/** Schemas to which `querystring` was added here, beside their `query`. */
const completed = new WeakSet<object>();

/**
 * Whether `query` and `querystring` are the same schema because it was normalized before: routes share schemas, and a HEAD route has the
 * schema of its GET.
 */
export function isNormalized(schema: RouteSchema): boolean {
  const { query, querystring } = schema;
  // Another application may have normalized it: then both names have the same object.
  return completed.has(schema) || (query === querystring && typeof query === 'object');
}

/**
 * The schema that plugins read in a route's live options: a copy, unless nothing changed. The declared object also gets what Fastify writes
 * into it (`querystring` beside `query`, and schemas instead of their builders), because plugins may have a reference to it.
 */
export function toPublicSchema(
  schema: RouteSchema,
  { params, querystring, headers, body }: RequestSchemas,
  response: ReadonlyMap<string, ContentSchemas>,
): RouteSchema {
  completeInPlace(schema);
  const declared = schema as Readonly<Record<string, unknown>>;
  const changes: Record<string, unknown> & Pick<RouteSchema, 'response'> = {};
  const publish = (name: string, value: unknown): void => {
    if (value !== declared[name]) changes[name] = value;
  };
  publish('params', params);
  publish('querystring', querystring);
  publish('headers', headers);
  if (declared.query !== undefined) publish('query', querystring);
  if (body !== undefined) publish('body', body.publicSchema);
  response.forEach(({ publicSchema }, status) => {
    if (publicSchema !== schema.response![status])
      changes.response = { ...(changes.response ?? schema.response), [status]: publicSchema };
  });
  const result = Object.keys(changes).length === 0 ? schema : { ...schema, ...changes };
  if (declared.query !== undefined) completed.add(schema).add(result);
  return result;
}

function completeInPlace(schema: RouteSchema): void {
  const { query, querystring = query } = schema;
  const declared = schema as Readonly<Record<string, unknown>>;
  const additions: Record<string, unknown> = {};
  const complete = (name: string, part: unknown): void => {
    const plain = plainSchema(part);
    if (plain !== declared[name]) additions[name] = plain;
  };
  for (const name of Object.keys(schema)) complete(name, declared[name]);
  if (query !== undefined) complete('querystring', querystring);
  // The same object under both names, so that another application knows that they are one schema.
  if (query !== undefined)
    Object.assign(additions, additions.query !== undefined && { querystring: additions.query });
  try {
    Object.assign(schema, additions);
  } catch {
    // The declared schema is frozen, so only the copy is complete.
  }
}
