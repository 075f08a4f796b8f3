/** Writes log lines of one request that no log controller decides about. */
import type { Exchange } from '../contract/exchange.ts';

export function log(
  x: Exchange,
  level: 'error' | 'warn' | 'info' | 'debug',
  line: object | string,
  text?: string,
): void {
  x.plan.logWriter.write(x.log, level, line, text);
}
