/** Facts of HTTP that several layers need: methods, reason phrases, header fields, forbidden trailers. */
import { METHODS, STATUS_CODES } from 'node:http';

/** Methods whose requests have no body that the framework reads (RFC 9110, 9.3). */
export const bodylessMethods: readonly string[] = ['GET', 'HEAD', 'TRACE'];

/** Methods whose body is parsed. QUERY is RFC 10008. */
export const bodyMethods: readonly string[] = ['DELETE', 'OPTIONS', 'PATCH', 'PUT', 'POST', 'QUERY'];

/** Every method that node's HTTP parser accepts. */
export const parserMethods: ReadonlySet<string> = new Set(METHODS);

/** The reason phrase of a status (RFC 9110, 15), or `undefined` if it has none. */
export function statusText(status: number): string | undefined {
  return STATUS_CODES[status];
}

/** Whether a final response with this status never has content (RFC 9110, 15.3.5, 15.3.6 and 15.4.5). */
export function isWithoutContent(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

/** Fields that describe a connection, and not a response (RFC 9110, 7.6.1). HTTP/2 and `fetch` do not send them. */
export const connectionFields: ReadonlySet<string> = new Set(
  'connection keep-alive proxy-connection te transfer-encoding upgrade'.split(' '),
);

const token = /^[\w!#$%&'*+.^`|~-]+$/;
const fieldContent = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Whether a text can be the name of a field (RFC 9110, 5.1). */
export function isFieldName(name: string): boolean {
  return token.test(name);
}

/** Whether a text can be the value of a field: it must not contain a line end or NUL (RFC 9110, 5.5). */
export function isFieldValue(value: string): boolean {
  return fieldContent.test(value);
}

/** Checks fields as node does over HTTP/1.1, for transports that do not. @throws {TypeError} the error of node. */
export function checkFields(fields: Readonly<Record<string, unknown>>): void {
  for (const name in fields) checkField(name, fields[name]);
}

/** @throws {TypeError} the error of node. */
export function checkField(name: string, value: unknown): void {
  if (!isFieldName(name)) {
    throw invalidField(`Header name must be a valid HTTP token ["${name}"]`, 'ERR_INVALID_HTTP_TOKEN');
  }
  for (const text of Array.isArray(value) ? value : [value]) {
    if (text === undefined) {
      throw invalidField(`Invalid value "undefined" for header "${name}"`, 'ERR_HTTP_INVALID_HEADER_VALUE');
    }
    if (!isFieldValue(`${text}`)) {
      throw invalidField(`Invalid character in header content ["${name}"]`, 'ERR_INVALID_CHAR');
    }
  }
}

function invalidField(message: string, code: string): TypeError {
  return Object.assign(new TypeError(message), { code });
}

const unfitForTrailers =
  'authorization cache-control content-encoding content-length content-range content-type host max-forwards set-cookie te trailer transfer-encoding';
/** Fields that must not be sent as trailers (RFC 9110, 6.5.1). */
export const forbiddenTrailers: ReadonlySet<string> = new Set(unfitForTrailers.split(' '));
