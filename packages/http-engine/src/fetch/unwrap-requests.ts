/** Makes the global `Request` and `fetch` accept requests of this server, because those of the platform accept only native requests. */
import { IncomingRequest } from './incoming-request.ts';

/** Unwraps all arguments, because a request may also be passed as the options of another one. */
function unwrap(args: readonly unknown[]): unknown[] {
  return args.map((each) => (IncomingRequest.is(each) ? each.native : each));
}

let isDone = false;

/** Replaces both by proxies, once, so that `instanceof`, subclasses and everything else work as before. */
export function unwrapRequests(): void {
  if (isDone) return;
  isDone = true;
  globalThis.Request = new Proxy(globalThis.Request, {
    construct: (target, args, newTarget) => Reflect.construct(target, unwrap(args), newTarget),
  });
  globalThis.fetch = new Proxy(globalThis.fetch, {
    apply: (target, thisArgument, args) => Reflect.apply(target, thisArgument, unwrap(args)),
  });
}
