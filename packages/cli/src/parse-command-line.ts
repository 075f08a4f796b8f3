/** Reads the command line of one command. Unknown options are errors: a misspelled `--workers` must not start one process. */
import { parseArgs } from 'node:util';
import { type CommandDefinition, type CommandLine, commonOptions } from './command.ts';
import { usageError } from './command-error.ts';

/** @throws {CommandError} with exit code 2. */
export async function parseCommandLine(
  definition: CommandDefinition,
  given: readonly string[],
): Promise<CommandLine> {
  const end = given.indexOf('--');
  const args = end === -1 ? given : given.slice(0, end);
  const rest = end === -1 ? [] : given.slice(end + 1);
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
  const known = { ...options, ...commonOptions };
  try {
    return parseArgs({ args: [...args], options: known, allowPositionals: true, strict: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const [, option = ''] = /'(-[^' ]*)/.exec(message) ?? [];
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
      // Loaded only for an error: commands must start quickly.
      const { nearestName } = await import('ambit');
      const near = nearestName(option.replace(/^-+/, ''), Object.keys(known));
      const hint = near === undefined ? '' : `; did you mean --${near}?`;
      throw usageError(`there is no option ${option}${hint}`, name);
    }
    const [, unvalued] = /--([\w-]+) <value>' argument missing/.exec(message) ?? [];
    if (unvalued !== undefined)
      throw usageError(`--${unvalued} needs a value: ${known[unvalued]!.value}`, name);
    throw usageError(message.split('\n')[0]!, name);
  }
}

/**
 * Reads an option that is a whole number.
 *
 * @throws {CommandError} with exit code 2, if it is not one, or is out of range.
 */
export function integerOption(
  line: CommandLine,
  name: string,
  [least, most]: readonly [number, number],
): number | undefined {
  const text = line.options[name];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most && String(text).trim() !== '') return value;
  throw usageError(`--${name} is \`${text}\`, not a whole number from ${least} to ${most}`, line.command);
}
