/** Describes the schemas of a route in JSON Schema, for plugins that write OpenAPI documents. */

import { isStandardSchema, toJsonSchema } from '@ambit/json-schema';
import { isPlainObject } from '../shared/values.ts';
import type { RouteSchema } from '../types/route-schema.ts';

type ResponseSchemas = NonNullable<RouteSchema['response']>;

/** See `index.ts`. */
export function describeSchemas(schema: RouteSchema): RouteSchema {
  const { response, ...parts } = schema;
  const described = Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, describe(part, 'input')]),
  );
  return response === undefined ? described : { ...described, response: describeResponse(response) };
}

function describeResponse(response: ResponseSchemas): ResponseSchemas {
  const described = Object.entries(response).map(([status, part]) => [status, describe(part, 'output')]);
  return Object.fromEntries(described);
}

/** One schema, or a `content` map of them. */
function describe(part: unknown, side: 'input' | 'output'): unknown {
  if (isStandardSchema(part)) return toJsonSchema(part, side);
  if (!isPlainObject(part) || !isPlainObject(part.content)) return part;
  const content = Object.entries(part.content).map(([type, entry]) => [type, describeMedia(entry, side)]);
  return { ...part, content: Object.fromEntries(content) };
}

/** The entry of one media type: a schema of the whole content, one of the items of a stream, or both. */
function describeMedia(entry: unknown, side: 'input' | 'output'): unknown {
  const { schema, itemSchema } = Object(entry) as { schema?: unknown; itemSchema?: unknown };
  const described = Object.entries({ schema, itemSchema }).flatMap(([name, declared]) =>
    isStandardSchema(declared) ? [[name, toJsonSchema(declared, side)]] : [],
  );
  return described.length === 0 ? entry : { ...Object(entry), ...Object.fromEntries(described) };
}
