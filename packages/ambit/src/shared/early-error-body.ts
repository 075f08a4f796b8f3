/** The body of an error that is answered without a reply: there is no route, no request, or no time for either. */
import { statusText } from './http-facts.ts';

/** JSON with the fields in this order; without a code where the error has none that a client should see. */
export function errorBody(statusCode: number, message: string, code?: string): string {
  return JSON.stringify({ error: statusText(statusCode), code, message, statusCode });
}
