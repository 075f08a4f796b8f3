// Builds the requests of the benchmark as bytes, and sends a single request.
import { openConnection } from './connection.mjs';

/** A placeholder in a header, for sixteen hexadecimal digits that differ in each request. */
export const idPlaceholder = '<id>';

/** @param {import('./scenarios.mjs').ExampleRequest} request The placeholder is not replaced. */
export function writeRequest({ method, path, headers = {}, body }) {
  const content = body === undefined ? '' : JSON.stringify(body);
  const contentHeaders =
    body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(content)}` };
  const lines = Object.entries({ host: '127.0.0.1', ...headers, ...contentHeaders });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n${content}`);
}

/** The request with every placeholder replaced. */
export function writeOneRequest(/** @type {import('./scenarios.mjs').ExampleRequest} */ request) {
  const text = writeRequest(request).toString('latin1');
  return Buffer.from(text.replaceAll(idPlaceholder, '0123456789abcdef'), 'latin1');
}

/**
 * Sends one request on its own connection.
 *
 * @param {number} port
 * @param {import('./scenarios.mjs').ExampleRequest} request
 * @param {boolean} [isSecure] Whether the connection uses TLS.
 * @returns {Promise<import('./connection.mjs').Response>}
 */
export async function sendRequest(port, request, isSecure = false) {
  const connection = await openConnection(port, isSecure);
  try {
    return await new Promise((resolve, reject) => {
      const known = { bytes: undefined };
      connection.receiveWith({ known, verify: resolve, onResponse() {}, onFailure: reject });
      connection.write(writeOneRequest(request));
    });
  } finally {
    connection.close();
  }
}
