/** The body of an error that is answered without a reply: there is no route, no request, or no time for either. */
import { statusText } from './http-facts.ts';
import { blankType, instanceOf, problemMediaType } from './problem-members.ts';

/** An error that is answered early. */
export interface EarlyError {
  readonly status: number;
  readonly message: string;
  /** Absent where the error has none that a client should see. */
  readonly code?: string | undefined;
  /** Absent where the request has none yet. */
  readonly requestId?: string;
}

/** The fields of a response, and its content. */
export interface EarlyAnswer {
  readonly fields: { 'content-type': string; 'content-length': string };
  readonly body: string;
}

/** JSON with the fields in this order; problem details (RFC 9457) where the application has chosen that format. */
export function earlyError(
  format: 'json' | 'problem',
  { status, message, code, requestId = '' }: EarlyError,
): EarlyAnswer {
  const isProblem = format === 'problem';
  const title = statusText(status);
  const content = isProblem
    ? {
        type: blankType,
        title,
        status,
        // As with other problems, a text about an error of the server is not for clients.
        detail: status < 500 ? message : undefined,
        instance: instanceOf(requestId),
        code,
      }
    : { error: title, code, message, statusCode: status };
  const body = JSON.stringify(content);
  const type = isProblem ? problemMediaType : 'application/json';
  return { fields: { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) }, body };
}
