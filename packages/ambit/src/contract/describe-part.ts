/** Says in words which schema of which route a compiler was given. */
import type { SerializerRequest, ValidatorRequest } from './compiler.ts';

/** For a message: `the body of POST /notes`, `the response 200 of GET /notes (text/csv)`. */
export function describePart(request: ValidatorRequest | SerializerRequest): string {
  const { method, url, contentType } = request;
  const part =
    'httpPart' in request ? request.httpPart : `response ${(request as SerializerRequest).httpStatus}`;
  return `the ${part} of ${method} ${url}${contentType === undefined ? '' : ` (${contentType})`}`;
}
