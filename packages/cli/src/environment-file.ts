/**
 * Reads the file `.env` of the working directory, for the application and for `PORT` and `HOST`. Variables that are already set have
 * precedence.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { CommandError } from './command.ts';

type Variables = Record<string, string | undefined>;

const name = '.env';

/** The environment of the command without the file. */
export const outerEnvironment: Readonly<Variables> = { ...process.env };

let loaded: Variables = {};

/** The path of the file, which may not exist. */
export const environmentFile: string = resolve(name);

/**
 * Sets the variables of the file in this process.
 *
 * @throws {CommandError} if the file exists, and cannot be read.
 */
export function loadEnvironmentFile(): void {
  loaded = readVariables();
  Object.assign(process.env, loaded);
}

/**
 * Reads the file again, because it may have changed.
 *
 * @returns The variables for a new process; `undefined` for a variable that the file no longer has.
 */
export function currentVariables(): Variables {
  const removed = Object.fromEntries(Object.keys(loaded).map((key) => [key, undefined]));
  try {
    return { ...removed, ...readVariables() };
  } catch {
    // The file can no longer be read, so the loaded variables stay.
    return {};
  }
}

function readVariables(): Variables {
  let text: string;
  try {
    text = readFileSync(environmentFile, 'utf8');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    throw new CommandError({
      file: name,
      problem: `it cannot be read: ${message}`,
      remedy: 'The file sets variables, one in each line: `NAME=value`.',
      cause,
    });
  }
  const variables = Object.entries(parseEnv(text));
  return Object.fromEntries(variables.filter(([key]) => outerEnvironment[key] === undefined));
}
