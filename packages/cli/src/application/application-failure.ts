/** Words what an application failed with, for the user of a command. */
import { CommandError } from '../command-error.ts';
import { placeInProgram } from './place-of-error.ts';

/** An error of the application, with the line that it comes from. */
export function failureOf(
  cause: unknown,
  shown: string,
  problem: string,
  place: string | undefined = placeInProgram(cause),
): CommandError {
  if (cause instanceof CommandError) return cause;
  const { message, hint, where } = Object(cause) as Partial<Error> & {
    hint?: string;
    where?: { route?: string };
  };
  const route = where?.route === undefined ? '' : ` (${where.route})`;
  return new CommandError({
    file: place ?? shown,
    problem: `${problem}: ${typeof message === 'string' ? firstLines(message) : String(cause)}${route}`,
    remedy:
      hint === undefined
        ? place === undefined
          ? '`--stack` shows where.'
          : undefined
        : `${upperFirst(hint)}.`,
    cause,
  });
}

/** Of a message that may have many lines. */
export function firstLines(message: string): string {
  return message.split('\n').slice(0, 2).join(' ');
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).replace(/\.$/, '');
}
