/** Finds out whether a web `Request` has a body, if possible without reading `request.body`, because that creates a stream. */
import { deno } from '../shared/js-runtime.ts';

/** `Request` does not allow a body with these methods (https://fetch.spec.whatwg.org/#dom-request). */
export function cannotHaveBody(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * @param contentLength The value of the field `content-length`, if the request has it.
 * @param ownsConnection Whether the request came to a server of the application.
 * @param hasContext Whether the runtime passed a second argument, after the request.
 * @returns `undefined` if only reading the body can show it.
 */
export function hasRequestBody(
  request: Request,
  contentLength: string | undefined,
  ownsConnection: boolean,
  hasContext: boolean,
): boolean | undefined {
  // A request that code has created may declare a length and have no body. A request that came over the network has the body.
  if (contentLength !== undefined) return contentLength !== '0' && (ownsConnection || request.body !== null);
  if (request.body === null) return false;
  return deno === undefined || !hasContext || announcesBody(request.headers);
}

/**
 * On Deno, requests from the network always have a body object, so the fields must show it. Over HTTP/2, which has no field `host`, no
 * field does.
 */
function announcesBody(headers: Headers): boolean | undefined {
  return headers.has('transfer-encoding') || (headers.has('host') ? false : undefined);
}
