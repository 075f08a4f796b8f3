/** Owns that the global `Request` and `fetch` take requests of this server: the classes of the platform know only their own. */
import { IncomingRequest } from './incoming-request.ts';

/** A request may also be the options of another one. */
function unwrap(given: readonly unknown[]): unknown[] {
  return given.map((each) => (IncomingRequest.is(each) ? each.genuine : each));
}

let isDone = false;

/** Replaces both, once, by proxies of what is there: `instanceof`, subclasses and everything else stay as they are. */
export function unwrapRequests(): void {
  if (isDone) return;
  isDone = true;
  globalThis.Request = new Proxy(globalThis.Request, {
    construct: (target, given, newTarget) => Reflect.construct(target, unwrap(given), newTarget),
  });
  globalThis.fetch = new Proxy(globalThis.fetch, {
    apply: (target, thisArgument, given) => Reflect.apply(target, thisArgument, unwrap(given)),
  });
}
