/** Runs the command that the command line names, or shows its help, and ends the process with an exit code. */
import {
  type CommandDefinition,
  CommandError,
  commonOptions,
  exitCodes,
  type OptionDefinition,
  parseCommandLine,
  usageError,
  version,
} from './command.ts';
import type { Paint } from './terminal.ts';

/** Runs the command line, then ends the process. */
export async function main(args: readonly string[]): Promise<void> {
  let exitCode: number;
  // An application may await something that never happens, or end the process itself. Neither is a success.
  let isDone = false;
  const onIdle = (): void => {
    setImmediate(() => {
      // What waits for the program to end has reported that it does.
      if (isDone) return;
      console.error('ambit: the application awaits something that never happens.');
      process.exit();
    });
  };
  const onExit = (code: number): void => {
    if (code === 0) process.exitCode = exitCodes.failed;
  };
  // A reader such as `head` may close the pipe. The command must still go on.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);
  process.once('beforeExit', onIdle);
  process.once('exit', onExit);
  try {
    exitCode = await runCommand(args);
  } catch (error) {
    exitCode = reportError(error, args);
  }
  isDone = true;
  process.off('exit', onExit);
  process.off('beforeExit', onIdle);
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  // Applications may leave timers and connections that would keep the process running.
  process.exit(exitCode);
}

async function runCommand(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${version}\n`);
    return exitCodes.ok;
  }
  const [{ commands }, { paintFor }] = await Promise.all([import('./commands.ts'), import('./terminal.ts')]);
  const paint = paintFor(process.stdout);
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    const [about] = name === 'help' ? rest : [];
    process.stdout.write(
      about === undefined
        ? commandList(commands, paint)
        : commandHelp(await findCommand(about, commands), paint),
    );
    return name === undefined ? exitCodes.usage : exitCodes.ok;
  }
  const definition = await findCommand(name, commands);
  const line = await parseCommandLine(definition, rest);
  if (line.options.help) {
    process.stdout.write(commandHelp(definition, paint));
    return exitCodes.ok;
  }
  const { loadEnvironmentFile } = await import('./environment-file.ts');
  loadEnvironmentFile();
  return (await definition.load()).run(line);
}

async function findCommand(name: string, commands: readonly CommandDefinition[]): Promise<CommandDefinition> {
  const found = commands.find((command) => command.name === name);
  if (found !== undefined) return found;
  // The framework is only loaded for an error: commands must start quickly.
  const { nearestName } = await import('ambit');
  const names = name.startsWith('-') ? ['--version', '--help'] : commands.map((command) => command.name);
  const nearest = nearestName(name, names);
  const hint = nearest === undefined ? '' : `; did you mean \`ambit ${nearest}\`?`;
  throw usageError(`there is no ${name.startsWith('-') ? 'option' : 'command'} \`${name}\`${hint}`);
}

/** @returns The exit code. */
function reportError(error: unknown, args: readonly string[]): number {
  const isKnown = error instanceof CommandError;
  const showsMore = args.includes('--stack') || Boolean(process.env.DEBUG);
  const text = isKnown
    ? error.message
    : String(error instanceof Error ? error.message : error).split('\n')[0];
  process.stderr.write(isKnown && error.report !== undefined ? `${error.report}\n` : `ambit: ${text}\n`);
  const source = isKnown ? (error.cause ?? error) : error;
  if (showsMore) process.stderr.write(`${source instanceof Error ? source.stack : String(source)}\n`);
  else if (!isKnown) process.stderr.write('ambit: this is a defect of the command; --stack shows where.\n');
  return isKnown ? error.exitCode : exitCodes.failed;
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** Resolves when the stream has written everything, or fails because the reader has closed the pipe. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.once('error', () => resolve());
    stream.write('', () => resolve());
  });
}

/** The help of `ambit` itself. */
function commandList(commands: readonly CommandDefinition[], paint: Paint): string {
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
function commandHelp({ name, summary, usage, options, notes = [] }: CommandDefinition, paint: Paint): string {
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
