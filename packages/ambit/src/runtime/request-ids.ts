/** Numbers requests: `req-1`, `req-2`, … `req-a`, in base 36. The text is created when an id is first read. */
import type { RequestId } from '../types/exchange.ts';

// V8 stores small integers without an allocation. At a thousand requests per second, they last for 25 days, and then start again.
const largestSmallInteger = 2_147_483_647;

/** Creates a counter that returns the next number for each request. */
export function makeRequestNumbers(): () => number {
  let last = 0;
  return () => {
    last = (last + 1) & largestSmallInteger;
    return last;
  };
}

/** Returns the text of an id. */
export function requestIdText(id: RequestId): string {
  return typeof id === 'number' ? `req-${id.toString(36)}` : id;
}
