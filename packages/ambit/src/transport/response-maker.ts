/** Finds the method with which a server creates responses that it can send without reading a stream. */
import type { ReplyHeaders } from '../types/exchange.ts';

/** The servers of `@ambit/http-engine/fetch` have this method, and document it. */
export interface ResponseMaker {
  /** @throws for a status or a field that `Response` does not accept. */
  makeResponse(status: number, fields: ReplyHeaders, payload?: string | Uint8Array): Response;
}

// HOT: once per request of `app.fetch`.
/** @param context What the server passes as the second argument, after the request. */
export function responseMakerOf(context: unknown): ResponseMaker | undefined {
  if (typeof context !== 'object' || context === null) return undefined;
  return typeof (context as Partial<ResponseMaker>).makeResponse === 'function'
    ? (context as ResponseMaker)
    : undefined;
}
