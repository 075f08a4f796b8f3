/** Describes the body of a request. */
import type { OperationObject } from '../document-types.ts';
import { isObject, type Json } from '../json.ts';
import { annotationsOf, type ContentDescriber, contentOf } from './content.ts';
import type { Part } from './part-describer.ts';

/** The media types to which a body schema without `content` applies. */
const json = ['application/json'];

export type RequestBody = NonNullable<OperationObject['requestBody']>;

export function describeRequestBody(
  body: unknown,
  consumes: unknown,
  content: ContentDescriber,
  part: Part,
): RequestBody {
  const byType = contentOf(body);
  const types = Array.isArray(consumes) && consumes.length > 0 ? (consumes as string[]) : json;
  const described = byType === undefined ? content.forTypes(body, types, part) : content.byType(byType, part);
  const { description, required } = annotationsOf(body) ?? {};
  return {
    ...(typeof description === 'string' && { description }),
    required:
      byType !== undefined && typeof required === 'boolean'
        ? required
        : !Object.values(described).some(acceptsNothing),
    content: described,
  };
}

/** A missing body is validated as null, so the body is optional if the schema accepts null. */
function acceptsNothing({ schema }: { schema?: unknown }): boolean {
  if (!isObject(schema)) return schema === true;
  const { title, description, ...constraints } = schema as Json;
  return Object.keys(constraints).length === 0 || [schema.type].flat().includes('null');
}
