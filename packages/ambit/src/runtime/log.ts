/** Writes log lines of a request that the log controller has no method for. */
import type { Exchange } from '../types/exchange.ts';

export function log(
  x: Exchange,
  level: 'error' | 'warn' | 'info' | 'debug',
  line: object | string,
  text?: string,
): void {
  x.plan.logWriter.write(x.log, level, line, text);
}
