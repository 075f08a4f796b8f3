/** Creates the header fields of a web `Response` from those of a reply. */
import type { ReplyHeaders } from '../contract/exchange.ts';
import { isWorker } from '../shared/js-runtime.ts';
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
 * @throws {RangeError} If `Response` does not accept the status. A status 1xx is not a final response (RFC 9110, 15.2).
 * @throws {TypeError} If a field is invalid.
 */
export function makeResponseHeaders(status: number, fields: ReplyHeaders): Headers {
  if (status < 200 || status > 599) throw new RangeError(`A response cannot have the status ${status} here`);
  checkForWorkers(fields);
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

/** Checks the fields on workers, which would send any character of a value as UTF-8. */
export function checkForWorkers(fields: ReplyHeaders): void {
  if (isWorker) checkDefinedFields(fields);
}

/** @throws {TypeError} for a field that node rejects. Fields without a value are not sent, so they are not checked. */
function checkDefinedFields(fields: ReplyHeaders): void {
  for (const name in fields) if (fields[name] !== undefined) checkField(name, fields[name]);
}
