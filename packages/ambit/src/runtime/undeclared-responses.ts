/** Finds responses that the response schemas of their route do not declare: all properties of such a response are sent. */

import { cancelStream, closeStream, isNodeStream, isWebResponse, isWebStream } from '../shared/values.ts';
import { ResponseUndeclared } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import type { Plan } from '../types/plan.ts';
import { warnResponseUndeclared } from '../types/warnings.ts';
import { contentTypeOf } from './exchange.ts';

/** Called for each response that its route does not declare. */
export type UndeclaredListener = NonNullable<Plan['onUndeclared']>;

/** @throws {ResponseUndeclared} always. */
export const refuseUndeclared: UndeclaredListener = (_x, route, response) => {
  throw new ResponseUndeclared(route, response);
};

/** Creates a function that warns of each response of one route once. */
export function makeUndeclaredWarning(): UndeclaredListener {
  let reported: Set<number> | undefined;
  return ({ status }, route, response) => {
    reported ??= new Set();
    if (reported.has(status)) return;
    reported.add(status);
    warnResponseUndeclared(route, response);
  };
}

/**
 * Checks a value that is about to be serialized.
 *
 * @throws {ResponseUndeclared} if the application refuses responses that are not declared.
 */
export function checkDeclared(
  x: Exchange,
  status: number = x.status,
  contentType: string | undefined = contentTypeOf(x),
): void {
  const { onUndeclared, serializers, items, info } = x.plan;
  // Such a response has no content (RFC 9110, 15).
  if (onUndeclared === undefined || status < 200 || status === 204 || status === 205 || status === 304)
    return;
  const isDeclared =
    serializers?.pick(status, contentType) !== undefined || items?.pick(status, contentType) !== undefined;
  if (!isDeclared)
    onUndeclared(
      x,
      `${[info.method].flat()} ${info.url}`,
      `status ${status} (${contentType ?? 'no Content-Type'})`,
    );
}

/**
 * Checks a payload that is sent as it is: text, bytes, a stream, or a `Response`. A reply without content tells nothing.
 *
 * @throws {ResponseUndeclared} as `checkDeclared` does. A stream is then closed.
 */
export function checkPayload(x: Exchange, payload: unknown): void {
  if (payload === undefined || payload === null || payload === '') return;
  try {
    // Without a Content-Type, this is not JSON, as a value that is serialized would be.
    const contentType = contentTypeOf(x) ?? 'application/octet-stream';
    if (!isWebResponse(payload)) checkDeclared(x, x.status, contentType);
    else if (payload.body !== null) {
      checkDeclared(x, payload.status, payload.headers.get('content-type') ?? contentType);
    }
  } catch (error) {
    if (isNodeStream(payload)) closeStream(payload.on('error', () => {}));
    const body = isWebResponse(payload) ? payload.body : payload;
    if (isWebStream(body)) cancelStream(body);
    throw error;
  }
}
