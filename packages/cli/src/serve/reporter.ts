/** Writes the events of workers: as lines for people, or as JSON for programs. */
import { paintFor } from '../terminal.ts';

export interface ServeEvent {
  readonly event: string;
  readonly level?: 'info' | 'warn' | 'error';
  /** The line for people. */
  readonly text: string;
  /** More members of the JSON. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export type Report = (event: ServeEvent) => void;

export function reporterFor(isJson: boolean): Report {
  if (isJson) {
    return ({ event, level = 'info', text, details }) =>
      process.stdout.write(`${JSON.stringify({ level, time: Date.now(), event, ...details, msg: text })}\n`);
  }
  const paint = paintFor(process.stdout);
  const styles = { info: 'cyan', warn: 'yellow', error: 'red' } as const;
  return ({ level = 'info', text }) => process.stdout.write(`${paint(styles[level], 'ambit:')} ${text}\n`);
}
