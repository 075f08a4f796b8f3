/** Converts the JSON lines of a logger to readable lines: one for each request, with its status and time. */

import type { Context } from 'ambit';
import type { Paint } from '../terminal.ts';

interface LogLine {
  readonly level: number;
  readonly time?: number;
  readonly msg?: string;
  readonly reqId?: unknown;
  readonly req?: { readonly method?: string; readonly url?: string };
  readonly res?: { readonly statusCode?: number };
  readonly responseTime?: number;
  readonly err?: { readonly message?: string; readonly stack?: string };
  readonly [name: string]: unknown;
}

/** Members that have their own format, or that are not shown. */
const formattedMembers = new Set([
  'level',
  'time',
  'msg',
  'reqId',
  'req',
  'res',
  'responseTime',
  'err',
  'pid',
  'hostname',
  'v',
]);

const levels = [
  [60, 'FATAL', 'red'],
  [50, 'ERROR', 'red'],
  [40, 'WARN', 'yellow'],
  [30, 'INFO', 'green'],
  [20, 'DEBUG', 'magenta'],
  [0, 'TRACE', 'dim'],
] as const;

export class PrettyLogs {
  readonly #paint: Paint;
  /** Requests that have begun, until they end. */
  readonly #openRequests = new Map<unknown, LogLine['req']>();
  #rest = '';

  constructor(paint: Paint) {
    this.#paint = paint;
  }

  /**
   * Adds a part of the output of a process.
   *
   * @returns The text to print, which consists of complete lines. A line that is not a log line is not changed.
   */
  write(chunk: string): string {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop()!;
    return lines.map((line) => this.#format(line)).join('');
  }

  /** @returns The rest of the output: a last line without a line end. */
  end(): string {
    const rest = this.#rest;
    this.#rest = '';
    return rest === '' ? '' : this.#format(rest);
  }

  #format(text: string): string {
    const line = parse(text);
    if (line === undefined) return `${text}\n`;
    const { msg, req, reqId } = line;
    if (msg === 'incoming request' && req !== undefined) {
      this.#openRequests.set(reqId, req);
      return '';
    }
    if (msg === 'request completed' && line.res !== undefined) return this.#formatRequest(line);
    const [, name, style] = levels.find(([least]) => line.level >= least)!;
    const request = req ?? this.#openRequests.get(reqId);
    const about = request === undefined ? '' : this.#paint('dim', ` (${request.method} ${request.url})`);
    const head = `${this.#time(line)} ${this.#paint(style, name)} ${msg ?? line.err?.message ?? ''}${about}`;
    return `${[head + this.#members(line), ...stackOf(line)].join('\n')}\n`;
  }

  #formatRequest(line: LogLine): string {
    const { method = '', url = '' } = line.req ?? this.#openRequests.get(line.reqId) ?? {};
    this.#openRequests.delete(line.reqId);
    const { statusCode = 0 } = line.res!;
    const style = statusCode >= 500 ? 'red' : statusCode >= 400 ? 'yellow' : 'green';
    const duration =
      line.responseTime === undefined ? '' : this.#paint('dim', ` ${line.responseTime.toFixed(1)} ms`);
    return `${this.#time(line)} ${method} ${url} ${this.#paint(style, String(statusCode))}${duration}\n`;
  }

  #members(line: LogLine): string {
    const otherMembers = Object.entries(line).filter(([name]) => !formattedMembers.has(name));
    return otherMembers
      .map(([name, value]) => ` ${this.#paint('cyan', name)}=${JSON.stringify(value)}`)
      .join('');
  }

  #time({ time }: LogLine): string {
    const date = new Date(time ?? Date.now());
    const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
    return this.#paint('dim', parts.map((part) => String(part).padStart(2, '0')).join(':'));
  }
}

function parse(text: string): LogLine | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const line = JSON.parse(text) as Partial<LogLine>;
    return typeof line.level === 'number' ? (line as LogLine) : undefined;
  } catch {
    return undefined;
  }
}

function stackOf({ err, msg }: LogLine): string[] {
  const stack = err?.stack;
  if (stack === undefined) return [];
  const lines = stack.split('\n');
  // The first line repeats the message.
  return (msg !== undefined && lines[0]?.endsWith(msg) ? lines.slice(1) : lines).map((line) => `  ${line}`);
}

/** Adds hooks that log to an application, unless it has a logger. */
export function logRequests(app: Context): void {
  const log = app.log as Context['log'] | undefined;
  // `child` of the logger that discards everything returns the same logger. Fastify itself has no logger yet.
  if (log === undefined || 'level' in log || log.child({}) !== log) return;
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url } = request;
    const { statusCode, elapsedTime: responseTime } = reply;
    write({ level: 30, req: { method, url }, res: { statusCode }, responseTime, msg: 'request completed' });
    done();
  });
  app.addHook('onError', (_request, reply, error, done) => {
    const { message, stack } = error;
    if (reply.statusCode >= 500 || !('statusCode' in error))
      write({ level: 50, err: { message, stack }, msg: message });
    done();
  });
}

function write(line: object): void {
  process.stdout.write(`${JSON.stringify({ time: Date.now(), ...line })}\n`);
}
