/** Tells whether a media type is JSON: one rule for replies, for typed calls and for the client. */

/** True if the type contains `json`, as in Fastify: `application/json`, `application/problem+json`, `text/json; charset=utf-8`. */
export function isJson(mediaType: string | null | undefined): boolean {
  return mediaType?.includes('json') === true;
}
