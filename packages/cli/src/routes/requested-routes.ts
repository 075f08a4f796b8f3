/** Finds the routes that a test run has requested: runs the tests, and reads the file that their processes have written. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageFolder } from '../application/find-application.ts';
import { CommandError, programUrl } from '../command.ts';
import { outerEnvironment } from '../environment-file.ts';

/** The record of the last run, relative to the folder of the package. */
const recordPath = 'node_modules/.cache/ambit/requested-routes.txt';

/**
 * Runs a command, and records which routes get requests in all its processes.
 *
 * @throws {CommandError} if the command fails, because its requests may be incomplete.
 */
export async function recordRun(app: string, [command, ...args]: readonly string[]): Promise<void> {
  const file = join(packageFolder(app), recordPath);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  const options = `${process.env.NODE_OPTIONS ?? ''} --import=${programUrl('record-routes.mjs').href}`;
  const child = spawn(command!, args, {
    // Standard output is for the list.
    stdio: ['inherit', process.stderr, process.stderr],
    env: { ...outerEnvironment, NODE_OPTIONS: options.trim(), AMBIT_REQUESTED_ROUTES: file },
    shell: process.platform === 'win32',
  });
  const [code, signal] = await Promise.race([
    once(child, 'close'),
    once(child, 'error').then(([cause]) => {
      throw new CommandError({
        problem: `\`${command}\` cannot be run: ${cause.message}`,
        remedy: 'The command after -- runs the tests: `-- npm test`.',
        cause,
      });
    }),
  ]);
  if (code === 0) return;
  throw new CommandError({
    problem: `\`${[command, ...args].join(' ')}\` ended with ${signal ?? `exit code ${code}`}`,
    remedy: 'Mend the tests first: their requests may be incomplete.',
  });
}

/** @returns The keys of the requested routes. */
export function readRun(app: string): Set<string> {
  const file = join(packageFolder(app), recordPath);
  if (existsSync(file)) return new Set(readFileSync(file, 'utf8').split('\n'));
  throw new CommandError({
    problem: 'there is no record of a test run',
    remedy: 'Run the tests with `ambit routes --unused -- npm test`.',
  });
}
