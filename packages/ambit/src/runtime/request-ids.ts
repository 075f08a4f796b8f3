/** Numbers requests: `req-1`, `req-2`, … `req-a`, in base 36. The text is made when an id is first read. */
import type { RequestId } from '../contract/exchange.ts';

// Small integers stay unboxed in the engine; at a thousand requests a second they last for 25 days, then start over.
const largestSmallInteger = 2_147_483_647;

/** A counter that gives each request the next number. */
export function makeRequestNumbers(): () => number {
  let last = 0;
  return () => {
    last = (last + 1) & largestSmallInteger;
    return last;
  };
}

/** The text of an id. */
export function requestIdText(id: RequestId): string {
  return typeof id === 'number' ? `req-${id.toString(36)}` : id;
}
