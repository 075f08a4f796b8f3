/** Finds what a server may offer with a request: to make responses that it sends without reading them from a stream. */
import type { ReplyHeaders } from '../contract/exchange.ts';

/** `@ambit/http-engine/fetch` documents it. */
export interface ResponseMaker {
  /** @throws for a status or a field that `Response` does not accept. */
  makeResponse(status: number, fields: ReplyHeaders, payload?: string | Uint8Array): Response;
}

// HOT: once per request of `app.fetch`.
/** @param context What the server passes next to the request. */
export function responseMakerOf(context: unknown): ResponseMaker | undefined {
  if (typeof context !== 'object' || context === null) return undefined;
  return typeof (context as Partial<ResponseMaker>).makeResponse === 'function'
    ? (context as ResponseMaker)
    : undefined;
}
