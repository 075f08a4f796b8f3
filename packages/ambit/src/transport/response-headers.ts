/** Makes the header fields of a web `Response` from those of a reply. */
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
 * @throws {RangeError} If `Response` does not accept the status; 1xx are not responses of their own (RFC 9110, 15.2).
 * @throws {TypeError} If a field is invalid.
 */
export function makeResponseHeaders(status: number, fields: ReplyHeaders): Headers {
  if (status < 200 || status > 599) throw new RangeError(`A response cannot have the status ${status} here`);
  refuseForWorkers(fields);
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

/** Each runtime has a message of its own, some with the value. The error is that of node. */
export function fieldError(error: unknown, fields: ReplyHeaders): unknown {
  try {
    refuseFields(fields);
  } catch (invalid) {
    return invalid;
  }
  return error;
}

/** Workers send any character in a value, as UTF-8. */
export function refuseForWorkers(fields: ReplyHeaders): void {
  if (isWorker) refuseFields(fields);
}

/** @throws {TypeError} for a field that node refuses. One without a value is not sent. */
function refuseFields(fields: ReplyHeaders): void {
  for (const name in fields) if (fields[name] !== undefined) checkField(name, fields[name]);
}
