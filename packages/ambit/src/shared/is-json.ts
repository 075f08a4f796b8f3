/** Decides whether a media type is JSON: replies, typed calls and the client use the same rule. */

/** True if the type contains `json`, as in Fastify: `application/json`, `application/problem+json`, `text/json; charset=utf-8`. */
export function isJson(mediaType: string | null | undefined): boolean {
  return mediaType?.includes('json') === true;
}
