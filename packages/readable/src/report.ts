/** What is to be said of an error: which lines of the program it is about, where it belongs, and who called what. */
import { readFileSync } from 'node:fs';
import { decode } from './redact.ts';
import { CallArguments, type ReadFile, type SourceRange } from './source.ts';
import { type FoldedStack, foldStack, inNodeModules, type LibraryOf, readFrame } from './stack.ts';

/** The place of an error, as Ambit adds it to errors of boot in the field `where`. All fields may be absent. */
export interface ErrorPlace {
  /** The path of the plugin: `ambit > notes`. */
  readonly plugin?: string | undefined;
  /** Method and URL: `GET /notes/:id`. */
  readonly route?: string | undefined;
  /** `file:line:column` of the call that declared what is wrong. */
  readonly file?: string | undefined;
  /** What failed or was waited for: `the onClose hook`. */
  readonly step?: string | undefined;
  /** The part of a schema: `params`, `response 200 (text/csv)`. */
  readonly part?: string | undefined;
  /** A JSON Pointer in a URI fragment (RFC 6901, section 6); behind an `$id` in a shared schema. */
  readonly schemaPath?: string | undefined;
  /** The first of two declarations of one name. */
  readonly first?: { readonly plugin: string; readonly file?: string | undefined } | undefined;
}

/** Lines of a program, with a part of one of them marked. Lines and columns are counted from 1. */
export interface CodeFrame {
  /** The path of the file. */
  readonly file: string;
  /** The line of the mark. */
  readonly line: number;
  /** Where the mark begins. */
  readonly column: number;
  /** How many characters are marked, all in one line. */
  readonly length: number;
  /** The marked line and those around it. */
  readonly lines: readonly { readonly number: number; readonly text: string }[];
}

/** What is known of an error, for printing and as JSON. */
export interface ErrorReport {
  /** What happened, in one sentence. */
  readonly title: string;
  /** What is wrong with the marked part, or how to mend it. */
  readonly advice?: string;
  /** `error.name`: `TypeError`. */
  readonly name: string;
  /** `error.code`. */
  readonly code?: string;
  /** The lines that it is about; absent if no file of the program is known. */
  readonly frame?: CodeFrame;
  /** `error.where`. */
  readonly where?: ErrorPlace;
  /** The address of the page about this code. */
  readonly docs?: string;
  /** The frames of the program. */
  readonly stack: FoldedStack;
  /** The error that caused this one. */
  readonly cause?: ErrorReport;
  /** Mistakes that were found together with this one. */
  readonly others?: readonly ErrorReport[];
}

/** What is known besides the error. */
export interface ReportOptions {
  /** What happened, in place of the message. */
  readonly title?: string | undefined;
  /** Sentences, in place of `error.hint`. */
  readonly advice?: readonly string[] | undefined;
  /** The address of a page about the error. */
  readonly docs?: string | undefined;
  /** Mistakes that were found together with this one. */
  readonly others?: readonly ErrorReport[] | undefined;
  /** The stack, in place of `error.stack`. */
  readonly stack?: string | undefined;
  /** Whether the lines to show are those that threw the error, and not those of `where.file`. Default false. */
  readonly showsThrow?: boolean;
  /** Default: the package in the innermost `node_modules`. */
  readonly libraryOf?: LibraryOf;
  /** Default: reads the file system. */
  readonly readFile?: ReadFile;
}

const linesAround = 2;
const mostCauses = 5;
/** How much of a message is searched for names that may be in the program. */
const longestSaid = 10_000;

/**
 * Collects what is to be said of an error. It never throws.
 *
 * @param error Anything that was thrown.
 * @param options What is known besides the error.
 */
export function reportError(error: unknown, options: ReportOptions = {}): ErrorReport {
  return report(error, options, 0);
}

/** @param depth How many errors this one is the cause of, in a row. */
function report(error: unknown, options: ReportOptions, depth: number): ErrorReport {
  const { libraryOf = inNodeModules, readFile = readText, showsThrow = false } = options;
  const [message, name, code, hint] = ['message', 'name', 'code', 'hint'].map((it) => textIn(error, it));
  const where = placeOf(read(error, 'where'));
  const cause = read(error, 'cause');
  const stack = foldStack(options.stack ?? textIn(error, 'stack') ?? '', libraryOf);
  const title = options.title ?? message ?? describe(error);
  const advice = (options.advice ?? (hint ? [hint] : [])).map(sentence).join(' ');
  const thrown = showsThrow && stack.frames.length > 0;
  const frame = frameOf(
    thrown ? undefined : where,
    stack,
    // In a schema, the advice is about the mistake, and the title about the whole.
    (where?.schemaPath === undefined ? [title, advice, message] : [advice, title, message])
      .map((text) => text?.slice(0, longestSaid))
      .join(' '),
    readFile,
  );
  return {
    title,
    name: name ?? 'Error',
    ...(advice && { advice }),
    ...(code && { code }),
    ...(frame && { frame }),
    ...(where && { where }),
    ...(options.docs && { docs: options.docs }),
    ...(options.others && { others: options.others }),
    stack,
    ...(cause !== undefined &&
      depth < mostCauses && { cause: report(cause, { libraryOf, readFile }, depth + 1) }),
  };
}

/** The lines that an error is about: the mistake in the arguments of a call, else the call, else the innermost frame of the program. */
function frameOf(
  where: ErrorPlace | undefined,
  stack: FoldedStack,
  said: string,
  readFile: ReadFile,
): CodeFrame | undefined {
  const declared = where?.file === undefined ? undefined : readFrame(where.file);
  const place = declared ?? stack.frames[0];
  if (place === undefined) return undefined;
  const { file, line, column } = place;
  const call = declared && CallArguments.at(file, line, column, readFile);
  const range = call && findMistake(call, where!, said);
  if (range !== undefined) return markRange(range);
  const text = readFile(file);
  const source = text?.split('\n')[line - 1];
  if (source === undefined) return undefined;
  const length = /^[\w$.#]+/.exec(source.slice(column - 1))?.[0].length ?? 1;
  return { file, line, column, length, lines: linesOf(text!, line) };
}

function findMistake(
  call: CallArguments,
  { part, schemaPath }: ErrorPlace,
  said: string,
): SourceRange | undefined {
  const names = [...said.matchAll(/(['"`])([^'"`\s]+)\1/g)].map(([, , name]) => name!);
  const steps = stepsOf(part, schemaPath);
  const found = steps.length > 0 ? call.find(steps) : undefined;
  // A path to something else than an object is more exact than a name.
  if (found?.isExact && found.object === undefined) return found.range;
  for (const name of names) {
    const named = call.findName(name, found?.object);
    if (named !== undefined) return named;
  }
  return found?.range;
}

/** The way from the argument of a call to a place in its schema. */
function stepsOf(part: string | undefined, schemaPath: string | undefined): string[] {
  const pointer = (schemaPath ?? '')
    .replace(/^[^#]*#/, '')
    .split('/')
    .slice(1);
  const inSchema = pointer.map((step) => decode(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  const [, name, status, mediaType] = /^(\w+)(?: (\w+))?(?: \((.*)\))?$/.exec(part ?? '') ?? [];
  if (name === undefined) return inSchema;
  const content = mediaType === undefined ? [] : ['content', mediaType, 'schema'];
  return ['schema', name, ...(status === undefined ? [] : [status]), ...content, ...inSchema];
}

function markRange({ file, text, start, end }: SourceRange): CodeFrame {
  const before = text.slice(0, start).split('\n');
  const line = before.length;
  const lineEnd = text.indexOf('\n', start);
  const last = lineEnd === -1 ? end : Math.min(end, lineEnd);
  return {
    file,
    line,
    column: before.at(-1)!.length + 1,
    length: Math.max(1, last - start),
    lines: linesOf(text, line),
  };
}

function linesOf(text: string, line: number): CodeFrame['lines'] {
  const first = Math.max(1, line - linesAround + 1);
  const lines = text.split(/\r?\n/).slice(first - 1, line + linesAround - 1);
  return lines.map((each, i) => ({ number: first + i, text: each }));
}

/** Reads a file; `undefined` if that is not possible. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

const placeFields = ['plugin', 'route', 'file', 'step', 'part', 'schemaPath'] as const;

/** The texts of a place. An error of another library may have anything in a field of this name. */
function placeOf(value: unknown): ErrorPlace | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const texts = placeFields.map((name) => [name, textIn(value, name)]).filter(([, text]) => text);
  const [plugin, file] = ['plugin', 'file'].map((name) => textIn(read(value, 'first'), name));
  return { ...Object.fromEntries(texts), ...(plugin && { first: { plugin, file } }) };
}

function textIn(value: unknown, name: string): string | undefined {
  const text = read(value, name);
  return typeof text === 'string' && text !== '' ? text : undefined;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/** A getter of the application may throw. */
function read(value: unknown, name: string): unknown {
  try {
    return Object(value)[name];
  } catch {
    return undefined;
  }
}

function describe(value: unknown): string {
  try {
    return String(value);
  } catch {
    return typeof value;
  }
}
