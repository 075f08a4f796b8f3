/** Writes the JSON lines of pino as lines for people: one for each request, and errors with their stack. */

import { printStack } from './print.ts';
import { foldStack, inNodeModules, type LibraryOf } from './stack.ts';

/** A line of pino, and what the `ambit` command adds to that of a request: `bytes`, and `by` (who answered, if not the handler). */
interface LogLine {
  readonly level: number | string;
  readonly time?: number | string;
  readonly msg?: string;
  readonly reqId?: unknown;
  readonly req?: { readonly method?: string; readonly url?: string };
  readonly res?: { readonly statusCode?: number };
  readonly responseTime?: number;
  readonly bytes?: number;
  readonly by?: string;
  readonly err?: { readonly message?: string; readonly stack?: string; readonly hint?: unknown };
  readonly [name: string]: unknown;
}

/** How `readableLog` writes. */
export interface ReadableLogOptions {
  /** Whether lines have colours. Default: whether standard output shows them (`NO_COLOR` and `FORCE_COLOR` count). */
  readonly hasColors?: boolean;
  /** Returns true for a line that is left out. @param line The line, parsed. */
  readonly isHidden?: (line: Readonly<Record<string, unknown>>) => boolean;
  /** The name of the library that a file belongs to, whose frames are only counted. Default: the package in the innermost `node_modules`. */
  readonly libraryOf?: LibraryOf;
}

/** Members that have their own format, or that are not shown. */
const formatted = new Set(
  'level time msg reqId req res responseTime bytes by event err pid hostname v'.split(' '),
);

const levels = [
  [60, 'FATAL', 31],
  [50, 'ERROR', 31],
  [40, 'WARN', 33],
  [30, 'INFO', 32],
  [20, 'DEBUG', 35],
  [0, 'TRACE', 2],
] as const;

/** A request that never ends is forgotten when so many have come after it. */
const longestMemory = 1_000;

/** A stream for a logger: lines may come in any pieces. */
export interface ReadableLog {
  /** Adds a part of the output. A line that is not one of pino is not changed. @param chunk The part. */
  write(chunk: string): void;
  /** Writes the rest of the output: a last line without a line end. */
  end(): void;
}

/**
 * Writes the JSON lines of pino as lines for people: one for each request, and errors with the frames of the program.
 *
 * @param write Called with complete lines. Default: writes to standard output.
 * @param options Colours, lines to leave out, and whose frames to count.
 * @returns The stream for a logger.
 */
export function readableLog(
  write: (text: string) => void = (text) => process.stdout.write(text),
  options: ReadableLogOptions = {},
): ReadableLog {
  return new LineFormatter(write, options);
}

class LineFormatter implements ReadableLog {
  readonly #write: (text: string) => void;
  readonly #options: Required<ReadableLogOptions>;
  /** Requests that have begun, until they end, with the message of the error that a client got. */
  readonly #open = new Map<unknown, LogLine['req'] & { note?: string | undefined }>();
  #rest = '';

  constructor(write: (text: string) => void, options: ReadableLogOptions) {
    this.#write = write;
    this.#options = {
      hasColors: options.hasColors ?? process.stdout.hasColors?.() ?? false,
      isHidden: options.isHidden ?? (() => false),
      libraryOf: options.libraryOf ?? inNodeModules,
    };
  }

  write(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop()!;
    const text = lines.map((line) => this.#format(line)).join('');
    if (text !== '') this.#write(text);
  }

  end(): void {
    if (this.#rest !== '') this.write('\n');
  }

  #format(text: string): string {
    const line = parse(text);
    if (line === undefined) return `${text}\n`;
    const { msg, req, res, reqId } = line;
    if (msg === 'incoming request' && req !== undefined) return this.#begin(reqId, req);
    const request = req ?? this.#open.get(reqId);
    if (msg === 'request completed' && res !== undefined) {
      const note = line.by ?? this.#open.get(reqId)?.note;
      this.#open.delete(reqId);
      return this.#options.isHidden(line) ? '' : this.#requestLine(line, request, note);
    }
    if (this.#options.isHidden(line)) return '';
    // What a client has done wrong is a part of the line of its request.
    const open = this.#open.get(reqId);
    const isAnswer = line.level === 30 && (res !== undefined || /^Route \S+ not found$/.test(msg ?? ''));
    if (open !== undefined && isAnswer) {
      open.note = res === undefined ? 'not found' : msg;
      return '';
    }
    const [, name, style] = levels.find(([least]) => Number(line.level) >= least) ?? [0, line.level, 32];
    const about =
      request === undefined ? '' : this.#paint(2, ` (${request.method} ${visible(`${request.url}`)})`);
    const head = `${this.#time(line)} ${this.#paint(style, String(name).toUpperCase().padEnd(5))} `;
    const members = Object.entries(line)
      .filter(([member]) => !formatted.has(member))
      .map(([member, value]) => ` ${this.#paint(36, visible(member))}=${visible(JSON.stringify(value))}`);
    // Whatever is thrown is logged, also a text.
    const message = visible(String(msg || (line.err?.message ?? line.err ?? '')));
    return `${[head + message + about + members.join(''), ...stackOf(line, this.#options.libraryOf)].join('\n')}\n`;
  }

  #begin(reqId: unknown, req: NonNullable<LogLine['req']>): '' {
    if (this.#open.size >= longestMemory) this.#open.delete(this.#open.keys().next().value);
    this.#open.set(reqId, { ...req });
    return '';
  }

  /** `12:03:04 GET    /notes/7                 404    1.3 ms    18 B  not found` */
  #requestLine(
    line: LogLine,
    { method = '', url = '' }: NonNullable<LogLine['req']> = {},
    note = '',
  ): string {
    const { statusCode = 0 } = line.res!;
    const columns = [
      this.#time(line),
      method.padEnd(6),
      visible(url).padEnd(24),
      this.#paint(statusCode >= 500 ? 31 : statusCode >= 400 ? 33 : 32, String(statusCode)),
      this.#paint(2, duration(line.responseTime).padStart(9)),
      ...(line.bytes === undefined && note === '' ? [] : [this.#paint(2, size(line.bytes).padStart(8))]),
      ...(note === '' ? [] : ['', this.#paint(33, visible(note))]),
    ];
    return `${columns.join(' ')}\n`;
  }

  #time({ time = Date.now() }: LogLine): string {
    const date = new Date(time);
    const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
    return this.#paint(2, parts.map((part) => String(part).padStart(2, '0')).join(':'));
  }

  #paint(code: number, text: string): string {
    return this.#options.hasColors ? `\x1b[${code}m${text}\x1b[0m` : text;
  }
}

function parse(text: string): LogLine | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const line = JSON.parse(text) as Partial<LogLine>;
    return typeof line.level === 'number' || typeof line.level === 'string' ? (line as LogLine) : undefined;
  } catch {
    return undefined;
  }
}

/** What comes from clients must not control the terminal. */
function visible(text: string): string {
  return text.replace(
    /(?![\n\t])\p{Cc}/gu,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

/** The stack of an error. Frames of libraries are only counted, unless there are no others. */
function stackOf({ err, msg }: LogLine, libraryOf: LibraryOf): string[] {
  if (err?.stack === undefined) return [];
  const stack = visible(err.stack);
  const folded = foldStack(stack, libraryOf);
  const lines = stack.split('\n');
  // The first line repeats the message.
  if (msg !== undefined && lines[0]?.endsWith(msg)) lines.shift();
  const about = lines.filter((line) => !/^\s+at /.test(line));
  const shown = folded.frames.length === 0 ? lines : [...about, ...printStack(folded).split('\n')];
  // The stack of an error of boot has it already.
  const isNew = typeof err.hint === 'string' && !stack.includes(err.hint.slice(1));
  const hint = isNew ? [`Hint: ${visible(String(err.hint))}`] : [];
  return [...hint, ...shown].map((line) => `  ${line}`);
}

function duration(ms: number | undefined): string {
  if (ms === undefined) return '';
  return ms < 1_000 ? `${ms.toFixed(1)} ms` : `${(ms / 1_000).toFixed(2)} s`;
}

function size(bytes: number | undefined): string {
  if (bytes === undefined) return '';
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
