/** Parses the command line of one command. Unknown options are errors, because a misspelled `--workers` must not start a single process. */
import { parseArgs } from 'node:util';
import { type CommandDefinition, type CommandLine, commonOptions } from './command.ts';
import { usageError } from './command-error.ts';

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
