/** Tells whether a web `Request` has a body, without asking for it where that is possible: that makes a stream of it. */
import { deno } from '../shared/js-runtime.ts';

/** `Request` does not allow a body with these methods (https://fetch.spec.whatwg.org/#dom-request). */
export function cannotHaveBody(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * @param contentLength The value of the field `content-length`, if the request has it.
 * @param ownsConnection Whether a server of ours got the request.
 * @param hasContext Whether the runtime passed something next to the request.
 * @returns `undefined` if only reading can tell.
 */
export function hasRequestBody(
  request: Request,
  contentLength: string | undefined,
  ownsConnection: boolean,
  hasContext: boolean,
): boolean | undefined {
  // A request that was made by hand may declare a length and have no body. One that came over the network has it.
  if (contentLength !== undefined) return contentLength !== '0' && (ownsConnection || request.body !== null);
  if (request.body === null) return false;
  return deno === undefined || !hasContext || announcesBody(request.headers);
}

/** Deno's requests that came over the network always have a body object. HTTP/2, which has no field `host`, announces nothing. */
function announcesBody(headers: Headers): boolean | undefined {
  return headers.has('transfer-encoding') || (headers.has('host') ? false : undefined);
}
