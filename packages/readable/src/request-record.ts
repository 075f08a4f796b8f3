/** Records what a request does: the steps that have begun, and the lines that its logger has written. */
import { subscribe } from 'node:diagnostics_channel';
import { readOwn } from './copy-json.ts';
import { printStack } from './print.ts';
import { type RedactableRequest, type RedactedRequest, Redactor } from './redact.ts';
import { foldStack } from './stack.ts';

/** The maximum number of steps, because a not-found handler may run a path again. */
const maxSteps = 200;
/** The maximum number of steps after the end of the response: `onResponse` hooks. */
const maxLateSteps = 20;
/** The maximum number of lines, and of characters in one of them and in all of them. Further lines are only counted. */
const maxLines = 100;
const maxLineLength = 16 * 1024;
const maxLinesLength = 64 * 1024;
/** The approximate memory of a step and of a line, without its text. */
const stepBytes = 32;
const lineBytes = 80;

/** A step that has begun. */
export interface TimedStep<Step> {
  /** The step, as the tool that records calls it. */
  readonly step: Step;
  /** The time from the beginning of the request to the beginning of the step, in milliseconds. */
  readonly startMs: number;
  /** The time until the next step began, or the response ended. */
  readonly ms: number;
}

/** A line that the logger of a request has written. */
export interface LoggedLine {
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
  /** The name of its level: `info`. */
  readonly level: string;
  /** Its message. */
  readonly message: string;
  /** The other fields as JSON, without secrets; empty without any. */
  readonly fields: string;
}

/** What was recorded of a request. */
export interface RequestDescription {
  /** The path of a page with more, if a tool has one. */
  readonly page?: string | undefined;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  /** The URL without secrets. */
  readonly url: string;
  /** The headers without secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** The steps that have begun, in order, with times from the start of the request. */
  readonly steps: readonly {
    readonly name: string;
    /** The name of the function that it calls. */
    readonly function: string | null;
    readonly startMs: number;
    readonly ms: number;
  }[];
  /** The lines of its logger, in order. */
  readonly logs: readonly LoggedLine[];
  /** How many lines there were. `logs` has the first ones. */
  readonly logCount: number;
}

/** What is read of a request when it begins. */
export interface RecordableRequest {
  /** The URL as the client sent it. */
  readonly originalUrl: string;
  /** The headers, with their names in lower case. */
  readonly headers: RedactableRequest['headers'];
  /** The parameters of the route, before they are validated: some may be secrets in the URL. */
  readonly params?: unknown;
  /** Its logger. The lines of pino and of its children are recorded, but not those of a logger that several requests share. */
  readonly log: unknown;
}

/** A step has a name, and may call a function of the application. */
interface AnyStep {
  readonly name: string;
  readonly function: unknown;
}

/** What one request has done so far. */
export class RequestRecord<Step extends AnyStep> {
  /** When the request began, in milliseconds since 1970. */
  readonly at: number = Date.now();
  /** The URL and the headers without secrets, and the secrets. */
  readonly request: RedactedRequest;
  readonly #requestBytes: number;
  readonly #redactor: Redactor;
  readonly #startedAtMs = performance.now();
  #endedAtMs: number | undefined;
  readonly #starts: { readonly step: Step; readonly atMs: number }[] = [];
  #maxSteps = maxSteps;
  readonly #log: RequestLines | undefined;

  /**
   * @param request The request. It is not kept. Several records of one request have the same lines.
   * @param redactor Removes secrets.
   * @param onLine Called after each line.
   */
  constructor(request: RecordableRequest, redactor: Redactor = new Redactor(), onLine?: () => void) {
    const { originalUrl: url, headers, params } = request;
    // New texts, because a part of a header would keep the whole header in memory.
    const text = JSON.stringify(redactor.request({ url, headers, params }));
    this.request = JSON.parse(text) as RedactedRequest;
    this.#requestBytes = 2 * text.length;
    this.#redactor = redactor;
    this.#log = linesOf(request.log, request);
    if (onLine !== undefined) this.#log?.listeners.push(onLine);
  }

  /** Records that a step begins. @param step The step. */
  begin(step: Step): void {
    if (this.#starts.length < this.#maxSteps) this.#starts.push({ step, atMs: performance.now() });
  }

  /** Records that the response has ended. Steps that begin later are recorded, too. */
  end(): void {
    this.#endedAtMs = performance.now();
    this.#maxSteps = this.#starts.length + maxLateSteps;
  }

  /** The time until the response ended, or until now, in milliseconds. */
  get ms(): number {
    return roundMs((this.#endedAtMs ?? performance.now()) - this.#startedAtMs);
  }

  /** How many lines were written. Only the first 100 are recorded. */
  get lineCount(): number {
    return this.#log?.count ?? 0;
  }

  /** The approximate memory that it uses, with that of steps which may follow. */
  get bytes(): number {
    return this.#requestBytes + stepBytes * (this.#starts.length + maxLateSteps) + (this.#log?.bytes ?? 0);
  }

  /** The steps, in order. A step lasts until the next one begins; the last one before the end lasts until the end. */
  steps(): TimedStep<Step>[] {
    const endedAtMs = this.#endedAtMs ?? performance.now();
    return this.#starts.map(({ step, atMs }, i) => {
      const next = this.#starts[i + 1]?.atMs ?? endedAtMs;
      const endMs = atMs <= endedAtMs ? Math.min(next, endedAtMs) : next;
      return { step, startMs: roundMs(atMs - this.#startedAtMs), ms: roundMs(Math.max(0, endMs - atMs)) };
    });
  }

  /** The recorded lines, without secrets. */
  lines(): LoggedLine[] {
    const { secrets } = this.request;
    return (this.#log?.list ?? []).map((line) => readLine(line, this.#redactor, secrets));
  }

  /** What the page of an error shows. */
  describe(): RequestDescription {
    const { url, headers } = this.request;
    const steps = this.steps().map(({ step: { name, function: called }, startMs, ms }) => {
      const functionName = readOwn(called, 'name');
      return { name, function: typeof functionName === 'string' ? functionName : null, startMs, ms };
    });
    return { at: this.at, url, headers, steps, logs: this.lines(), logCount: this.lineCount };
  }
}

interface WrittenLine {
  readonly at: number;
  readonly level: string;
  readonly message: string;
  /** The line as it was written, after the serializers and the option `redact` of the logger; its length if it is very long. */
  readonly json: string | number;
}

interface RequestLines {
  list: WrittenLine[];
  readonly listeners: (() => void)[];
  count: number;
  bytes: number;
}

/** The lines by the logger; `undefined` for a logger that several requests share. */
const linesByLogger = new WeakMap<object, RequestLines | undefined>();
/** The request that a logger belongs to; the logger itself if there are several. */
const owners = new WeakMap<object, object>();
let isSubscribed = false;

/** @returns `undefined` if the logger is not that of this request alone. */
function linesOf(logger: unknown, request: object): RequestLines | undefined {
  if (typeof logger !== 'object' || logger === null) return undefined;
  if (!isSubscribed) {
    isSubscribed = true;
    // A channel of pino, see its page "Diagnostics". It costs nothing until a tool records the first request.
    subscribe('tracing:pino_asJson:end', onLine);
  }
  if (!owners.has(logger)) {
    owners.set(logger, request);
    linesByLogger.set(logger, { list: [], listeners: [], count: 0, bytes: 0 });
  } else if (owners.get(logger) !== request) {
    // The logger may outlive the request.
    owners.set(logger, logger);
    Object.assign(linesByLogger.get(logger) ?? {}, { list: [], count: 0, bytes: 0 });
    linesByLogger.set(logger, undefined);
  }
  return linesByLogger.get(logger);
}

/** The message of the channel. */
interface WrittenByPino {
  readonly instance: object;
  readonly arguments: readonly [fields: unknown, text: unknown, level: number];
  readonly result: unknown;
}

/** Must not throw, because an error here would end the process. */
function onLine(written: unknown): void {
  try {
    const { instance, arguments: given, result } = written as WrittenByPino;
    const lines = typeof result === 'string' ? findLines(instance) : undefined;
    if (lines !== undefined) addLine(lines, instance, given, result as string);
  } catch {}
}

/** A child of a logger has it in its chain of prototypes. */
function findLines(instance: object): RequestLines | undefined {
  let logger: object | null = instance;
  while (logger !== null && !linesByLogger.has(logger))
    logger = Object.getPrototypeOf(logger) as object | null;
  return logger === null ? undefined : linesByLogger.get(logger);
}

function addLine(
  lines: RequestLines,
  instance: object,
  [, text, level]: WrittenByPino['arguments'],
  json: string,
): void {
  lines.count++;
  const isLong = json.length > maxLineLength;
  const message = typeof text === 'string' ? text.slice(0, isLong ? 1_000 : undefined) : '';
  const bytes = lineBytes + 2 * (message.length + (isLong ? 0 : json.length));
  if (lines.list.length < maxLines && lines.bytes + bytes <= 2 * maxLinesLength) {
    const { labels = {} } = (instance as { levels?: { labels?: Record<number, string> } }).levels ?? {};
    lines.list.push({
      at: Date.now(),
      level: String(labels[level] ?? level),
      // A new text, because a part would keep the long one in memory.
      message: isLong ? (JSON.parse(JSON.stringify(message)) as string) : message,
      json: isLong ? json.length : json,
    });
    lines.bytes += bytes;
  }
  for (const listener of lines.listeners) listener();
}

/** What every line has, or what is shown beside it. */
const standardFields = new Set('level time pid hostname v reqId req res msg'.split(' '));

function readLine(
  { at, level, message: text, json }: WrittenLine,
  redactor: Redactor,
  secrets: readonly string[],
): LoggedLine {
  const line = typeof json === 'number' ? { msg: text, omitted: `${json} characters` } : parse(json);
  // The logger may have another key for the message, and may have redacted it.
  const key = Object.keys(line).find((name) => name === 'msg' || (text !== '' && line[name] === text));
  const message = key === undefined ? '' : String(line[key]);
  const rest = Object.entries(line)
    .filter(([name]) => name !== key && !standardFields.has(name))
    .map(([name, value]) => [name, withShortStack(value)]);
  const copy = redactor.json('log', Object.fromEntries(rest), secrets).value;
  const fields = rest.length === 0 ? '' : JSON.stringify(copy);
  return { at, level, message: redactor.text(message, secrets), fields };
}

/** An error in a line has the frames of the program only. */
function withShortStack(value: unknown): unknown {
  const { stack } = Object(value) as { readonly stack?: unknown };
  return typeof stack !== 'string' ? value : { ...Object(value), stack: printStack(foldStack(stack)).trim() };
}

function parse(json: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(json)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
