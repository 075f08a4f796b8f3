/** The code that typed calls of `inject` and of the client share: their methods, and whether a body is sent as JSON. */
import { isJson } from './is-json.ts';

/** The methods that `inject` and the typed client have a function for. */
export const callMethods = ['get', 'post', 'put', 'patch', 'delete', 'options', 'head'] as const;

/**
 * @param contentType The media type that the caller has set. If it is JSON, a string is sent as a JSON value; otherwise as it is.
 */
export function isSentAsJson(body: unknown, contentType: string | null | undefined): boolean {
  if (typeof body === 'string') return isJson(contentType);
  return body !== undefined && !isWebBody(body);
}

/** Whether a value that is not a string can be a body of `fetch`. */
function isWebBody(body: unknown): boolean {
  const forms = [Blob, FormData, URLSearchParams, ReadableStream, ArrayBuffer];
  return forms.some((Form) => body instanceof Form) || ArrayBuffer.isView(body);
}
