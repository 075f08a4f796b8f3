/** Runs the programs of the options `--install` and `--git`, and shows their progress. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Thrown when a signal ends the program. */
export class Interrupted extends Error {
  readonly exitCode: number;
  constructor(signal: NodeJS.Signals) {
    super(`stopped by ${signal}`);
    this.exitCode = signal === 'SIGINT' ? 130 : 143;
  }
}

/**
 * Runs a program in a folder, and shows a line for it, which changes while it runs if the output is a terminal.
 *
 * @param command The program and its arguments, with spaces between them.
 * @returns Its output if it failed; otherwise `undefined`.
 * @throws {Interrupted} if this process gets SIGINT or SIGTERM. The program has then ended.
 */
export async function runStep(title: string, command: string, cwd: string): Promise<string | undefined> {
  const [program = '', ...args] = command.split(' ');
  // Package managers are scripts on Windows, and only a shell runs these.
  const isWindows = process.platform === 'win32';
  const child = spawn(program, args, { cwd, shell: isWindows, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  let interrupted: Interrupted | undefined;
  const stop = (signal: NodeJS.Signals) => {
    interrupted ??= new Interrupted(signal);
    child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, stop);
  const finish = showProgress(title);
  try {
    const status = await waitFor(child);
    finish(status === 0 ? 'done' : 'failed');
    if (interrupted !== undefined) throw interrupted;
    return status === 0 ? undefined : output || `${status}`;
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}

/** @returns The exit code, or the reason why the program did not start. */
async function waitFor(child: ChildProcess): Promise<unknown> {
  try {
    const [status] = await once(child, 'close');
    return status;
  } catch (error) {
    if (!(error instanceof Error)) return error;
    const isMissing = 'code' in error && error.code === 'ENOENT';
    return isMissing ? `\`${child.spawnfile}\` is not installed` : error.message;
  }
}

/** @returns A function that ends the line. */
function showProgress(title: string): (end: string) => void {
  const startedMs = performance.now();
  const seconds = () => `${Math.round((performance.now() - startedMs) / 1000)} s`;
  if (!process.stdout.isTTY) {
    console.log(`${title} …`);
    return (end) => console.log(`${title}: ${end} after ${seconds()}`);
  }
  const frames = ['|', '/', '-', '\\'];
  let turn = 0;
  const draw = (text: string) => process.stdout.write(`\r\x1b[K${text}`);
  const timer = setInterval(() => draw(`${frames[turn++ % frames.length]} ${title} … ${seconds()}`), 100);
  return (end) => {
    clearInterval(timer);
    draw(`${title}: ${end} after ${seconds()}\n`);
  };
}
