/** The fields that describe the connection of a message (RFC 9110, 7.6.1): the server writes them itself. */
import type { AnswerFields } from '../answer/field-lines.ts';

const names: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

// HOT: once per field of a response.
/** Whether the server must leave a field out. `Connection: close` is allowed, because a handler may end the connection. */
export function isOfConnection(name: string, value: AnswerFields[string]): boolean {
  const lower = name.toLowerCase();
  return names.has(lower) && !(lower === 'connection' && String(value).toLowerCase() === 'close');
}
