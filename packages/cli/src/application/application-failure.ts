/** Converts an error of an application to the error of a command. */
import { CommandError } from '../command-error.ts';
import { locationInProgram } from './error-location.ts';

/** Returns the error of a command for an error of the application, with the source line that caused it. */
export function toCommandError(
  cause: unknown,
  displayPath: string,
  problem: string,
  location: string | undefined = locationInProgram(cause),
): CommandError {
  if (cause instanceof CommandError) return cause;
  const { message, hint, where } = Object(cause) as Partial<Error> & {
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
  });
}

/** The first two lines of a message, joined. */
export function firstLines(message: string): string {
  return message.split('\n').slice(0, 2).join(' ');
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).replace(/\.$/, '');
}
