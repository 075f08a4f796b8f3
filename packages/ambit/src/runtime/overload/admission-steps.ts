/** The steps of overload protection. Only plans of contexts that have it have these steps. */
import type { Exchange } from '../../types/exchange.ts';

/** Admits the request, or replies to it before its body is read. */
export function admit(x: Exchange): boolean {
  return x.plan.admission!.admit(x);
}

/** While its body is received, the request does not count, because a slow client must not block others. */
export function pauseAdmission(x: Exchange): boolean {
  x.plan.admission!.pause(x);
  return true;
}

export function resumeAdmission(x: Exchange): boolean {
  x.plan.admission!.resume(x);
  return true;
}

/** Runs when the reply is ready, because the time that the client takes to read it is not load. */
export function endAdmission(x: Exchange): boolean {
  x.plan.admission!.leave(x);
  return true;
}
