/** Writes the output file of a command, or says where it differs from the application. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { CommandError, type CommandLine, exitCodes } from './command.ts';
import { print, printJson } from './terminal.ts';

/** The result of a command for its file. */
type Status = 'written' | 'unchanged' | 'current' | 'stale';

export interface OutputFile {
  /** The name of the file without `--output`. */
  readonly defaultName: string;
  /** A noun for the file in messages: `document`. */
  readonly noun: string;
  /** Creates the text for a file with this name. */
  createText(name: string): Promise<string>;
  /** Finds the first difference; `undefined` if the texts have the same meaning. */
  compare(name: string, before: string, text: string): Promise<string | undefined> | string | undefined;
}

/** @throws {CommandError} if the file cannot be written. */
export function writeOutput(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (cause) {
    throw new CommandError({
      file,
      problem: `it cannot be written: ${(cause as Error).message}`,
      remedy: 'The folder must exist; --output names another file.',
      cause,
    });
  }
}

/** Writes the file, or checks it with `--check`. */
export async function writeOrCheck(line: CommandLine, output: OutputFile): Promise<number> {
  const { command, options } = line;
  const file = (options.output as string | undefined) ?? output.defaultName;
  const isJson = options.json === true;
  if (options.check && file === '-')
    throw new CommandError({ problem: '--check needs a file to compare with', exitCode: exitCodes.usage });
  const text = await output.createText(file);
  if (file === '-') {
    await print(text);
    return exitCodes.ok;
  }
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  if (!options.check) {
    if (before !== text) writeOutput(file, text);
    await report(file, before === text ? 'unchanged' : 'written', undefined, isJson);
    return exitCodes.ok;
  }
  const difference =
    before === undefined ? 'there is no such file' : await output.compare(file, before, text);
  if (difference === undefined) {
    await report(file, 'current', undefined, isJson);
    return exitCodes.ok;
  }
  if (isJson) await report(file, 'stale', difference, true);
  const remedy = `Run \`ambit ${command}${file === output.defaultName ? '' : ` -o ${file}`}\`, and commit the file.`;
  throw new CommandError({ file, problem: `the ${output.noun} is stale: ${difference}`, remedy });
}

async function report(
  file: string,
  status: Status,
  difference: string | undefined,
  isJson: boolean,
): Promise<void> {
  if (isJson) await printJson({ file, status, ...(difference !== undefined && { difference }) });
  else await print(`${file}: ${status}\n`);
}

/** @returns `info.title is "a" in the file and "b" in the application`; `undefined` if the values are the same. */
export function findDifference(
  file: unknown,
  app: unknown,
  path: readonly string[] = [],
): string | undefined {
  if (Object.is(file, app)) return undefined;
  if (!isObject(file) || !isObject(app) || Array.isArray(file) !== Array.isArray(app))
    return `${formatPath(path)} is ${abbreviate(file)} in the file and ${abbreviate(app)} in the application`;
  for (const key of new Set([...Object.keys(file), ...Object.keys(app)])) {
    const childPath = [...path, key];
    if (!Object.hasOwn(file, key)) return `${formatPath(childPath)} is missing in the file`;
    if (!Object.hasOwn(app, key)) return `${formatPath(childPath)} is missing in the application`;
    const difference = findDifference(file[key], app[key], childPath);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function formatPath(path: readonly string[]): string {
  return path.length === 0 ? 'the document' : path.join('.');
}

function abbreviate(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
