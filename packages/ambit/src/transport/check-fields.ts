/** Checks the header fields of responses as node does over HTTP/1.1, for transports that do not check them, or throw other errors. */

import { isFieldName, isFieldValue } from '../shared/http-facts.ts';
import type { ReplyHeaders } from '../types/exchange.ts';
import type { HeaderValue } from '../types/reply.ts';

/** @throws {TypeError} the same error that node throws over HTTP/1.1. */
export function checkFields(fields: ReplyHeaders): void {
  for (const name in fields) checkField(name, fields[name]);
}

/** @throws {TypeError} the same error that node throws over HTTP/1.1. */
export function checkField(name: string, value: HeaderValue): void {
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
