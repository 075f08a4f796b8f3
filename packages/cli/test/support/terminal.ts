/** Runs the command on a terminal, which the program `script` of util-linux creates. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { bin, environment, killWhenDone } from './command.ts';

export const ctrlC = '\x03';

export class Terminal {
  /** The text on the terminal. */
  output = '';
  readonly #child: ChildProcess;

  /** @param after A command of the shell that runs afterwards. */
  constructor(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}, after?: string) {
    // Without a size, a terminal has no columns.
    const program = [process.execPath, bin, ...args].join(' ');
    const command = `stty cols 100 rows 40; ${after === undefined ? `exec ${program}` : `${program}; ${after}`}`;
    this.#child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      cwd: folder,
      env: { ...environment, TERM: 'xterm', ...env },
    });
    killWhenDone(this.#child);
    this.#child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.output += text;
    });
  }

  /** Waits until the terminal shows a text. */
  async until(text: string): Promise<void> {
    while (!this.output.includes(text)) await once(this.#child.stdout!, 'data');
  }

  type(keys: string): void {
    this.#child.stdin!.write(keys);
  }

  /** @returns The exit code. */
  async end(): Promise<number | null> {
    await once(this.#child, 'close');
    return this.#child.exitCode;
  }
}
