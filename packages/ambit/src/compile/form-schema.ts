/** Finds the schema of the forms that the framework reads for a route. */
import type { ContextNode } from '../context/context-node.ts';
import type { ContentSchemas } from '../schemas/content-schemas.ts';
import { parseMediaType } from '../shared/media-type.ts';

export const formType = 'multipart/form-data';
const anyForm = parseMediaType(`${formType}; boundary=x`);

/**
 * Returns the schema of the forms that the framework reads for a route; `undefined` if it reads none. A parser of the application takes
 * precedence, as for any media type.
 */
export function formSchema(body: ContentSchemas | undefined, { parsers }: ContextNode): unknown {
  if (body === undefined || !('byType' in body) || !body.byType.has(formType)) return undefined;
  return parsers.match(anyForm) === undefined ? body.byType.get(formType) : undefined;
}
