/** Rejects requests whose field `host` is not a host. Deno and workerd make it a part of the URL, and do not check it. */

import { earlyError } from '../shared/early-error.ts';
import type { AmbitOptions } from '../types/options.ts';

/** A host with an optional port (RFC 9110, 7.2; RFC 3986, 3.2.2). It may be empty. */
const validHost = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/**
 * With `host: example.org/admin`, a request for `/status` would reach the route of `/admin/status`.
 *
 * @returns `undefined` if the field is valid, or missing.
 */
export function refuseWrongHost(
  { headers }: Request,
  format: AmbitOptions['errors'] = 'json',
): Response | undefined {
  const host = headers.get('host');
  if (host === null || validHost.test(host)) return undefined;
  const { fields, body } = earlyError(format, { status: 400, message: 'Client Error' });
  return new Response(body, { status: 400, headers: fields });
}
