/**
 * The response to an error that is sent before a reply exists: there is no route or no request yet, or the server is overloaded or closes.
 */
import { statusText } from './http-facts.ts';
import { blankType, problemInstance, problemMediaType } from './problem-members.ts';

/** An error that is answered before a reply exists. */
export interface EarlyError {
  readonly status: number;
  readonly message: string;
  /** Absent if the error has no code that a client should see. */
  readonly code?: string | undefined;
  /** Absent if the request has no id yet. */
  readonly requestId?: string;
}

/** The header fields and the body of the response. */
export interface EarlyResponse {
  readonly fields: { 'content-type': string; 'content-length': string };
  readonly body: string;
}

/** Creates the response: JSON with its members in this order, or problem details (RFC 9457) if the application uses that format. */
export function earlyError(
  format: 'json' | 'problem',
  { status, message, code, requestId = '' }: EarlyError,
): EarlyResponse {
  const isProblem = format === 'problem';
  const title = statusText(status);
  const content = isProblem
    ? {
        type: blankType,
        title,
        status,
        // As in other problems, the message of a server error is not sent to clients.
        detail: status < 500 ? message : undefined,
        instance: problemInstance(requestId),
        code,
      }
    : { error: title, code, message, statusCode: status };
  const body = JSON.stringify(content);
  const type = isProblem ? problemMediaType : 'application/json';
  return { fields: { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) }, body };
}
