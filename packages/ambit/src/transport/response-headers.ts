/** Makes the head of a web `Response` from the status and the fields of a reply. */
import type { ReplyHeaders } from '../contract/exchange.ts';

/** Fields that describe a connection (RFC 9110, 7.6.1). The runtime owns the connection and writes them itself. */
const connectionFields: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/** @throws {RangeError} If `Response` does not accept the status; 1xx are not responses of their own (RFC 9110, 15.2). */
export function makeResponseHeaders(status: number, fields: ReplyHeaders): Headers {
  if (status < 200 || status > 599) throw new RangeError(`A response cannot have the status ${status} here`);
  const headers = new Headers();
  for (const name in fields) {
    if (connectionFields.has(name.toLowerCase())) continue;
    const value = fields[name];
    if (Array.isArray(value)) for (const text of value) headers.append(name, text);
    else if (value !== undefined) headers.append(name, String(value));
  }
  return headers;
}
