/** A command: the content of its help, its code, which is loaded only when it is needed, and how its command line is read. */
import { parseArgs } from 'node:util';

export interface OptionDefinition {
  readonly type: 'string' | 'boolean';
  /** The text in the help. */
  readonly description: string;
  /** One letter. */
  readonly short?: string;
  readonly multiple?: boolean;
  /** A name for the value in the help, in capitals. */
  readonly value?: string;
}

export interface CommandDefinition {
  readonly name: string;
  /** What it does, in one line. */
  readonly summary: string;
  /** The text after the name of the command: `[options] [app]`. */
  readonly usage: string;
  /** The greatest number of arguments, including the application. */
  readonly maxArguments: number;
  readonly options: Readonly<Record<string, OptionDefinition>>;
  /** More lines of help: examples, environment, exit codes. */
  readonly notes?: readonly string[];
  /** Whether another command may follow `--`. */
  readonly takesCommand?: boolean;
  load(): Promise<{ run(line: CommandLine): Promise<number> }>;
}

export interface CommandLine {
  readonly command: string;
  readonly options: Readonly<Record<string, string | boolean | string[] | undefined>>;
  readonly arguments: readonly string[];
  /** The arguments after `--`. */
  readonly rest: readonly string[];
}

/** The version of the package. It is a constant, because reading package.json takes longer than the rest of `ambit --version`. */
export const version = '0.1.0';

/** The file of a program that this package starts in a process of its own. Bundled code may be in any file, so the folder of the build is derived. */
export function programUrl(name: string): URL {
  return new URL(name, /^.*\/dist\//.exec(import.meta.url)?.[0]);
}

/** Options that every command has. */
export const commonOptions: Readonly<Record<string, OptionDefinition>> = {
  stack: { type: 'boolean', description: 'Show the stack trace of an error (or set DEBUG)' },
  help: { type: 'boolean', short: 'h', description: 'Show this help' },
};

/** The exit codes of the command. `docs/guide/tools.md` lists them. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, httpError: 22 } as const;

export interface Failure {
  /** What is wrong, as a sentence without its full stop. */
  readonly problem: string;
  /** The file that is wrong, as the user would type it. */
  readonly file?: string | undefined;
  /** What to do, as a sentence. */
  readonly remedy?: string | undefined;
  readonly exitCode?: number;
  readonly cause?: unknown;
  /** What is printed in place of the line: an error of boot with the lines of the program that it is about. */
  readonly report?: string | undefined;
}

/** A failure that users can fix. It is reported in one line. */
export class CommandError extends Error {
  readonly exitCode: number;
  readonly report: string | undefined;

  constructor({ problem, file, remedy, exitCode = exitCodes.failed, cause, report }: Failure) {
    const location = file === undefined ? '' : `${file}: `;
    const text = `${location}${sentence(problem)}${remedy === undefined ? '' : ` ${remedy}`}`;
    super(text.replaceAll(/\s*\n\s*/g, ' '), { cause });
    this.exitCode = exitCode;
    this.report = report;
  }
}

/** An error in the command line itself. */
export function usageError(problem: string, command?: string): CommandError {
  const help = command === undefined ? 'ambit --help' : `ambit ${command} --help`;
  return new CommandError({ problem, remedy: `See \`${help}\`.`, exitCode: exitCodes.usage });
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.?!]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** @throws {CommandError} with exit code 2. */
export async function parseCommandLine(
  definition: CommandDefinition,
  allArgs: readonly string[],
): Promise<CommandLine> {
  const end = allArgs.indexOf('--');
  const args = end === -1 ? allArgs : allArgs.slice(0, end);
  const rest = end === -1 ? [] : allArgs.slice(end + 1);
  const { values, positionals } = await parse(definition, args);
  if (positionals.length > definition.maxArguments) {
    throw usageError(`unexpected argument \`${positionals[definition.maxArguments]}\``, definition.name);
  }
  if (rest.length > 0 && !definition.takesCommand)
    throw usageError(`unexpected argument \`${rest[0]}\``, definition.name);
  return {
    command: definition.name,
    options: values as CommandLine['options'],
    arguments: positionals,
    rest,
  };
}

async function parse({ name, options }: CommandDefinition, args: readonly string[]) {
  const definitions = { ...options, ...commonOptions };
  try {
    return parseArgs({ args: [...args], options: definitions, allowPositionals: true, strict: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const [, option = ''] = /'(-[^' ]*)/.exec(message) ?? [];
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
      // Loaded only for an error: commands must start quickly.
      const { nearestName } = await import('ambit');
      const nearest = nearestName(option.replace(/^-+/, ''), Object.keys(definitions));
      const hint = nearest === undefined ? '' : `; did you mean --${nearest}?`;
      throw usageError(`there is no option ${option}${hint}`, name);
    }
    const [, optionWithoutValue] = /--([\w-]+) <value>' argument missing/.exec(message) ?? [];
    if (optionWithoutValue !== undefined)
      throw usageError(
        `--${optionWithoutValue} needs a value: ${definitions[optionWithoutValue]!.value}`,
        name,
      );
    throw usageError(message.split('\n')[0]!, name);
  }
}

/**
 * Reads an option that is an integer.
 *
 * @throws {CommandError} with exit code 2, if it is not an integer or is out of range.
 */
export function integerOption(
  line: CommandLine,
  name: string,
  [minimum, maximum]: readonly [number, number],
): number | undefined {
  const text = line.options[name];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value >= minimum && value <= maximum && String(text).trim() !== '')
    return value;
  throw usageError(
    `--${name} is \`${text}\`, not a whole number from ${minimum} to ${maximum}`,
    line.command,
  );
}
