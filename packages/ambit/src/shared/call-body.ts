/** How typed calls send a body: as JSON, unless it has a form of its own. For `inject` and for the client. */

/**
 * @param contentType The media type that the caller named. Text is a value of JSON where it names JSON; else it goes as it is.
 */
export function isSentAsJson(body: unknown, contentType: string | null | undefined): boolean {
  if (typeof body === 'string') return contentType?.includes('json') === true;
  return body !== undefined && !isWebBody(body);
}

/** What a request of `fetch` takes as its body, besides text. */
function isWebBody(body: unknown): boolean {
  const forms = [Blob, FormData, URLSearchParams, ReadableStream, ArrayBuffer];
  return forms.some((Form) => body instanceof Form) || ArrayBuffer.isView(body);
}
