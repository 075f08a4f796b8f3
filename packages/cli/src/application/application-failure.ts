/** Converts an error of an application to the error of a command, with the line of the application. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandError } from '../command.ts';
import { isOurs, toDisplayPath } from './find-application.ts';

/** Returns the error of a command for an error of the application, with the source line that caused it. */
export function toCommandError(
  cause: unknown,
  displayPath: string,
  problem: string,
  location: string | undefined = locationInProgram(cause),
): CommandError {
  if (cause instanceof CommandError) return cause;
  const {
    name = '',
    message,
    hint,
    where,
    stack,
  } = Object(cause) as Partial<Error> & {
    hint?: string;
    where?: { route?: string };
  };
  const route = where?.route === undefined ? '' : ` (${where.route})`;
  return new CommandError({
    file: location ?? displayPath,
    problem: `${problem}: ${typeof message === 'string' ? firstLines(message) : String(cause)}${route}`,
    remedy:
      hint === undefined
        ? location === undefined
          ? '`--stack` shows where.'
          : undefined
        : `${upperFirst(hint)}.`,
    cause,
    // The stack of an error of boot is its report.
    report: where === undefined || stack?.startsWith(name) ? undefined : stack,
  });
}

/** The first two lines of a message, joined. */
export function firstLines(message: string): string {
  return message.split('\n').slice(0, 2).join(' ');
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).replace(/\.$/, '');
}

const frame = /(?:^|[\s(])((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^\n()]*?):(\d+)(?::\d+)?\)?$/;

/** A frame in the stack of an error of boot, whose paths are as the user would type them. */
const shortFrame = /^\s+at (?:.* \()?([^()]+?):(\d+):\d+\)?$/;

/** @returns `src/app.ts:12`; `undefined` if no line of the stack is in the program. */
export function locationInProgram(error: unknown): string | undefined {
  const { where, stack } = Object(error) as { where?: { file?: unknown }; stack?: unknown };
  const lines = [...String(stack).split('\n'), where?.file];
  for (const text of lines) {
    const location = readFrame(String(text));
    if (location !== undefined) return location;
  }
  return undefined;
}

/** @returns The file and line in a line of a stack trace, if they are in the user's program. */
export function readFrame(text: string): string | undefined {
  const [, short = '', shortLine] = shortFrame.exec(text) ?? [];
  if (existsSync(short))
    return isForeign(resolve(short)) ? undefined : `${toDisplayPath(resolve(short))}:${shortLine}`;
  const [, file, line] = frame.exec(text) ?? [];
  if (file === undefined) return undefined;
  const path = file.startsWith('file:') ? fileURLToPath(file) : file;
  return isForeign(path) ? undefined : `${toDisplayPath(path)}:${line}`;
}

/**
 * The location of a syntax error. It is the first line of the stack if Node has removed types. Otherwise, Node prints it only
 * if the error ends a process, so another process imports the module.
 */
export function locationOfSyntaxError(error: SyntaxError, url: string): string | undefined {
  const location = readFrame(String(error.stack).split('\n')[0]!);
  if (location !== undefined) return location;
  const program = `await import(${JSON.stringify(url)})`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 5_000,
  });
  return readFrame(stderr.split('\n')[0]!);
}

/** Whether a file belongs to a library or to Ambit. */
function isForeign(path: string): boolean {
  return path.includes('node_modules') || isOurs(path);
}
