/** Numbers requests: `req-1`, `req-2`, … `req-a`, in base 36. */

// Small integers stay unboxed in the engine; at a thousand requests a second they last for 25 days, then start over.
const largestSmallInteger = 2_147_483_647;

export function makeRequestIds(): () => string {
  let last = 0;
  return function defaultGenReqId() {
    last = (last + 1) & largestSmallInteger;
    return `req-${last.toString(36)}`;
  };
}
