/** A file that a command writes from an application, or compares with it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { CommandLine } from './command.ts';
import { CommandError, exitCodes } from './command-error.ts';
import { print, printJson } from './output.ts';

/** What a command has done with its file. */
type Status = 'written' | 'unchanged' | 'current' | 'stale';

export interface WrittenFile {
  /** The name that the file has without `--output`. */
  readonly defaultName: string;
  /** What the file is, in messages: `document`. */
  readonly noun: string;
  /** Makes the text for a file of this name. */
  make(name: string): Promise<string>;
  /** Finds the first difference; `undefined` if the texts mean the same. */
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

/** Writes the file, or checks it, as the options of the command say. */
export async function writeOrCheck(line: CommandLine, written: WrittenFile): Promise<number> {
  const { command, options } = line;
  const file = (options.output as string | undefined) ?? written.defaultName;
  const isJson = options.json === true;
  if (options.check && file === '-')
    throw new CommandError({ problem: '--check needs a file to compare with', exitCode: exitCodes.usage });
  const text = await written.make(file);
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
    before === undefined ? 'there is no such file' : await written.compare(file, before, text);
  if (difference === undefined) {
    await report(file, 'current', undefined, isJson);
    return exitCodes.ok;
  }
  if (isJson) await report(file, 'stale', difference, true);
  const remedy = `Run \`ambit ${command}${file === written.defaultName ? '' : ` -o ${file}`}\`, and commit the file.`;
  throw new CommandError({ file, problem: `the ${written.noun} is stale: ${difference}`, remedy });
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
