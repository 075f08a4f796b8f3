/** Writes the help of the command and of each of its commands. */
import { type CommandDefinition, commonOptions, type OptionDefinition } from './command.ts';
import type { Paint } from './terminal.ts';

/** The help of `ambit` itself. */
export function commandList(commands: readonly CommandDefinition[], paint: Paint): string {
  return [
    'Develops, runs and inspects Ambit applications.',
    '',
    `${paint('bold', 'Usage')}  ambit <command> [options] [app]`,
    '',
    paint('bold', 'Commands'),
    ...columns(
      commands.map(({ name, summary }) => [name, summary]),
      paint,
    ),
    '',
    paint('bold', 'Options'),
    ...columns(
      [
        ['-h, --help', 'Show this help, or that of a command: ambit <command> --help'],
        ['-v, --version', 'Show the version'],
      ],
      paint,
    ),
    '',
    'An application is a module whose default export is the app, or a function that makes it. Without [app], it is',
    '`ambit.app` of package.json, else src/app or app with .ts, .js or .mjs.',
    '',
  ].join('\n');
}

/** The help of one command. */
export function commandHelp(
  { name, summary, usage, options, notes = [] }: CommandDefinition,
  paint: Paint,
): string {
  const all = Object.entries({ ...options, ...commonOptions });
  return [
    `${summary}.`,
    '',
    `${paint('bold', 'Usage')}  ambit ${name} ${usage}`,
    '',
    paint('bold', 'Options'),
    ...columns(
      all.map(([option, definition]) => [optionLabel(option, definition), definition.description]),
      paint,
    ),
    ...(notes.length > 0 ? ['', ...notes] : []),
    '',
  ].join('\n');
}

function optionLabel(name: string, { short, type, value = 'VALUE' }: OptionDefinition): string {
  const long = type === 'string' ? `--${name} ${value}` : `--${name}`;
  return short === undefined ? `    ${long}` : `-${short}, ${long}`;
}

function columns(rows: readonly (readonly [string, string])[], paint: Paint): string[] {
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.map(([label, text]) => `  ${paint('cyan', label.padEnd(width))}  ${text}`);
}
