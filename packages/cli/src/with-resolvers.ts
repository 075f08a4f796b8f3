/** Creates a promise that is resolved from outside. */

/** `Promise.withResolvers`, which Node 20 does not have. */
export function withResolvers<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
