/** Words the errors that are thrown at an application's code as the application does. */
import type { Exchange } from '../contract/exchange.ts';

export function worded<T>(x: Exchange, error: T): T {
  return x.plan.server.translateError(error);
}
