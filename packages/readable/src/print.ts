/** How a report is written for people: the sentence, the lines with the mark, where it belongs, and the frames of the program. */
import { relative, sep } from 'node:path';
import type { CodeFrame, ErrorReport } from './report.ts';
import type { FoldedStack, Frame } from './stack.ts';

/** Writes text in a style. */
export type Paint = (style: 'bold' | 'dim' | 'red' | 'yellow' | 'cyan', text: string) => string;

/** How a report is written. */
export interface PrintOptions {
  /** What the first line begins with: `Ambit cannot start: `. */
  readonly prefix?: string | undefined;
  /** Default: no styles. */
  readonly paint?: Paint;
  /** The folder that paths are relative to. Default: that of the process. */
  readonly folder?: string;
  /** The longest line of a frame, in characters. Default 120. */
  readonly width?: number;
  /** Whether to name the error that caused this one. Default true. */
  readonly hasCause?: boolean;
}

/**
 * Writes a report for people.
 *
 * @param report What `reportError` returns.
 * @param options Colours, and what paths are relative to.
 * @returns Several lines, without a line end after the last one.
 */
export function printReport(report: ErrorReport, options: PrintOptions = {}): string {
  const { prefix = '', hasCause = true } = options;
  const { paint = (_style, text) => text, folder = process.cwd(), width = 120 } = options;
  const style = { paint, folder, width };
  const blocks = printMistake(report, prefix, style);
  const cause = hasCause ? printCause(report.cause) : undefined;
  if (cause !== undefined) blocks.push(`  ${paint('dim', cause)}`);
  for (const other of report.others ?? []) blocks.push(...printMistake(other, 'Also: ', style));
  const frames = printStack(report.stack, report.frame, folder);
  if (frames !== '') blocks.push(paint('dim', frames));
  return blocks.join('\n\n');
}

type Style = Required<Pick<PrintOptions, 'paint' | 'folder' | 'width'>>;

/** What happened, in which lines, and where that belongs. */
function printMistake(report: ErrorReport, prefix: string, style: Style): string[] {
  const { title, advice, frame } = report;
  const { paint } = style;
  const end = /[.!?]$/.test(title) ? '' : '.';
  const blocks = [`${paint('red', prefix)}${paint('bold', `${title}${end}`)}`];
  if (frame !== undefined) blocks.push(printFrame(frame, advice, style));
  else if (advice !== undefined) blocks.push(`  ${paint('yellow', advice)}`);
  blocks.push(`  ${paint('dim', describePlace(report, style.folder))}`);
  return blocks;
}

function printFrame(frame: CodeFrame, advice: string | undefined, style: Style): string {
  const { paint, folder, width } = style;
  const digits = String(frame.lines.at(-1)!.number).length;
  const gutter = ' '.repeat(digits + 3);
  // A long line is shown from a little before the mark.
  const room = width - digits - 7;
  const cut = frame.column + frame.length > room ? Math.max(0, frame.column - Math.floor(room / 2)) : 0;
  const lines = frame.lines.flatMap(({ number, text }) => {
    const shown = text.replaceAll('\t', ' ').slice(cut, cut + room);
    const isMarked = number === frame.line;
    const line = `${isMarked ? paint('red', '>') : ' '} ${paint('dim', `${String(number).padStart(digits)} |`)} ${shown}`;
    if (!isMarked) return [line.trimEnd()];
    const indent = ' '.repeat(Math.max(0, frame.column - 1 - cut));
    const carets = '^'.repeat(Math.min(frame.length, room));
    const label = advice ?? '';
    const fits = indent.length + carets.length + label.length + 2 <= room;
    const mark = `${gutter}${paint('dim', '|')} ${indent}${paint('red', carets)}`;
    if (label === '') return [line, mark];
    return fits
      ? [line, `${mark}  ${paint('yellow', label)}`]
      : [line, mark, `${gutter}${paint('dim', '|')} ${paint('yellow', label)}`];
  });
  const place = `${shorten(frame.file, folder)}:${frame.line}:${frame.column}`;
  return [paint('cyan', place), ...lines].map((line) => `  ${line}`).join('\n');
}

function describePlace({ title, where, code, name, docs }: ErrorReport, folder: string): string {
  const { plugin, route, first, step } = where ?? {};
  const place = plugin === undefined ? [] : [`in plugin ${plugin}`];
  if (route !== undefined && !title.includes(route)) place.push(route);
  if (step !== undefined) place.push(step);
  if (first !== undefined)
    place.push(
      `first declared in ${first.plugin}${first.file === undefined ? '' : ` at ${shorten(first.file, folder)}`}`,
    );
  place.push(code ?? name);
  if (docs !== undefined) place.push(`docs: ${docs}`);
  return place.join(' · ');
}

function printCause(cause: ErrorReport | undefined): string | undefined {
  if (cause === undefined) return undefined;
  const [firstLine] = cause.title.split('\n', 1);
  const next = printCause(cause.cause);
  return `caused by ${cause.code ?? cause.name}: ${firstLine}${next === undefined ? '' : `, ${next}`}`;
}

/**
 * Writes the frames of the program, and a line that counts the others.
 *
 * @param stack What `foldStack` returns.
 * @param frame Shown if the stack has no frame of the program.
 * @param folder What paths are relative to. Default: the folder of the process.
 */
export function printStack(stack: FoldedStack, frame?: CodeFrame, folder: string = process.cwd()): string {
  const { frames, foldedCount, libraries } = stack;
  // Without a frame, Node would write brackets around the text.
  const shown: readonly Frame[] = frames.length > 0 || frame === undefined ? frames : [frame];
  const lines = shown.map(({ function: name, file, line, column }) => {
    const place = `${shorten(file, folder)}:${line}:${column}`;
    return name === undefined ? `    at ${place}` : `    at ${name} (${place})`;
  });
  if (foldedCount > 0) {
    const inside = libraries.length === 0 ? 'the runtime' : joinNames(libraries);
    lines.push(
      `    ${lines.length > 0 ? 'and ' : ''}${foldedCount} ${foldedCount === 1 ? 'frame' : 'frames'} inside ${inside}`,
    );
  }
  return lines.join('\n');
}

function joinNames(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** The path from the folder, if the file is in it. */
export function shorten(file: string, folder: string): string {
  const path = relative(folder, file);
  return path.startsWith('..') || path.includes(`..${sep}`) ? file : path;
}
