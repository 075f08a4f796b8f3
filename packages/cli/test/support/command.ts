/** Runs the command as a user does: as a process of the file that npm links, in a new folder. Or many in one process. */
import { type ChildProcess, fork, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, onTestFinished } from 'vitest';
import { readToMark } from '../../../ambit/test/support/read-to-mark.ts';

export const bin: string = fileURLToPath(new URL('../../bin/ambit.mjs', import.meta.url));
// Inside the repository, so that applications import its packages.
const scratch = fileURLToPath(new URL('../../../../.cache/cli/', import.meta.url));

// Processes that the command started can still write for a moment.
const removal = { recursive: true, force: true, maxRetries: 10, retryDelay: 200 };

/** Cleans up after the test, or after the file what was made outside of tests. Files share this module, so each use needs a hook. */
function whenDone(clean: () => unknown): void {
  const hook = async (): Promise<void> => void (await clean());
  try {
    onTestFinished(hook);
  } catch {
    afterAll(hook);
  }
}

export function killWhenDone(child: ChildProcess): void {
  whenDone(() => child.kill('SIGKILL'));
}

/** The files of an application, by path. A package.json of an ES module is added. */
export type Files = Readonly<Record<string, string>>;

/** Creates a folder with an application. */
export function makeFolder(files: Files): string {
  mkdirSync(scratch, { recursive: true });
  const folder = mkdtempSync(scratch);
  whenDone(() => rm(folder, removal));
  writeFiles(folder, { 'package.json': '{ "type": "module" }', ...files });
  return folder;
}

export function writeFiles(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment without the variables that the test runner and the user's shell add. */
export const environment: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(CI|DEBUG|FORCE_COLOR|NO_COLOR|NODE_OPTIONS|NODE_ENV|PORT|HOST|VITEST.*)$/.test(name),
  ),
);

/** Starts the command, and does not wait for its end. */
export function startCommand(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  options: SpawnOptions = {},
): ChildProcess {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: folder,
    env: { ...environment, ...env },
    ...options,
  });
  killWhenDone(child);
  return child;
}

/** Runs the command to its end. */
export function runCommand(
  folder: string,
  args: readonly string[],
  { env, input = '' }: { env?: NodeJS.ProcessEnv; input?: string } = {},
): Promise<Outcome> {
  const child = startCommand(folder, args, env);
  let stdout = '';
  let stderr = '';
  child.stdout!.on('data', (chunk) => (stdout += chunk));
  child.stderr!.on('data', (chunk) => (stderr += chunk));
  child.stdin!.on('error', () => {});
  child.stdin!.end(input);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

const sharedProgram = fileURLToPath(new URL('command-process.mjs', import.meta.url));
const endMark = '\0end\0';
/** The process, and a promise that rejects when it ends. */
let shared: { readonly child: ChildProcess; readonly end: Promise<never> } | undefined;
const used = new Set<string>();

/**
 * Runs the command in a process that the tests share, which takes a tenth of the time. Not for what reads standard input, ends the
 * process or keeps it from ending. Each run needs a new folder, because the process keeps the modules of an application.
 */
export async function runShared(folder: string, args: readonly string[]): Promise<Outcome> {
  if (used.size === used.add(folder).size) throw new Error('the process has the modules of this folder');
  shared ??= startShared();
  const { child, end } = shared;
  const outputs = [readToMark(child.stdout!, endMark), readToMark(child.stderr!, endMark)] as const;
  const answer = once(child, 'message');
  child.send({ folder, args, mark: endMark });
  const [[code], stdout, stderr] = await Promise.race([Promise.all([answer, ...outputs]), end]);
  return { code, stdout, stderr };
}

/** It ends when its parent does. */
function startShared(): NonNullable<typeof shared> {
  const child = fork(sharedProgram, { env: environment, silent: true });
  child.unref();
  const end = once(child, 'exit').then(() => {
    shared = undefined;
    throw new Error('the process has ended');
  });
  end.catch(() => {});
  return { child, end };
}
