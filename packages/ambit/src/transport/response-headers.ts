/** Creates the header fields of a web `Response` from those of a reply. */
import type { ReplyHeaders } from '../types/exchange.ts';
import { checkField } from './check-fields.ts';

/** Fields that describe a connection (RFC 9110, 7.6.1). The runtime owns the connection and writes them itself. */
export const connectionFields: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/**
 * @param isUpgrade Whether the response has a WebSocket, and so the status 101.
 * @throws {RangeError} If `Response` does not accept the status. A status 1xx is not a final response (RFC 9110, 15.2).
 * @throws {TypeError} If a field is invalid.
 */
export function makeResponseHeaders(status: number, fields: ReplyHeaders, isUpgrade = false): Headers {
  const isAccepted = isUpgrade ? status === 101 : status >= 200 && status <= 599;
  if (!isAccepted) throw new RangeError(`A response cannot have the status ${status} here`);
  checkDefinedFields(fields);
  const headers = new Headers();
  try {
    for (const name in fields) {
      if (connectionFields.has(name.toLowerCase())) continue;
      const value = fields[name];
      if (Array.isArray(value)) for (const text of value) headers.append(name, text);
      else if (value !== undefined) headers.append(name, String(value));
    }
  } catch (error) {
    throw fieldError(error, fields);
  }
  return headers;
}

/**
 * Replaces the error of a runtime for an invalid field by that of node, because messages of runtimes differ, and some contain the value.
 */
export function fieldError(error: unknown, fields: ReplyHeaders): unknown {
  try {
    checkDefinedFields(fields);
  } catch (invalid) {
    return invalid;
  }
  return error;
}

/**
 * Checks fields before a `Headers` gets them: a control character in a value would end the process of Deno, Bun would send it, and workers
 * send any character as UTF-8. Fields without a value are not sent, so they are not checked.
 *
 * @throws {TypeError} for a field that node rejects.
 */
export function checkDefinedFields(fields: ReplyHeaders): void {
  for (const name in fields) if (fields[name] !== undefined) checkField(name, fields[name]);
}
