/** The steps of overload protection. Only plans of contexts that have it have these steps. */
import type { Exchange } from '../../contract/exchange.ts';

/** Takes in the request, or answers it before its body is read. */
export function admit(x: Exchange): boolean {
  return x.plan.admission!.admit(x);
}

/** While a body comes in, the request waits for its client: a client that is slow must not keep others out. */
export function pauseAdmission(x: Exchange): boolean {
  x.plan.admission!.pause(x);
  return true;
}

export function resumeAdmission(x: Exchange): boolean {
  x.plan.admission!.resume(x);
  return true;
}

/** The reply is ready. How fast the client reads it says nothing about the load. */
export function endAdmission(x: Exchange): boolean {
  x.plan.admission!.leave(x);
  return true;
}
