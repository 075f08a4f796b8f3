// A process that is started anew whenever it ends, as systemd or Kubernetes would do it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** What does not end in time is killed. */
const stopMs = 20_000;
const pauseMs = 200;

export class KeptProcess {
  /** How often it has ended, except by `stop`. */
  ends = 0;
  #command;
  #child;
  #isHeld = false;
  #isStopping = false;

  /**
   * Starts the process.
   *
   * @param {string} name Of the process.
   * @param {{ program: string, args: string[], options?: object, logFile: string, stopSignal?: string }} command How to start it, the
   *   file for what it prints, and the signal that ends it in order (default SIGTERM).
   */
  constructor(name, command) {
    this.name = name;
    this.#command = command;
    this.#start();
  }

  get pid() {
    return this.#child.pid;
  }

  /**
   * Ends the process with a signal, and starts it anew.
   *
   * @param {string} signal Of the system, such as SIGKILL.
   * @param {() => Promise<void>} whileDown What happens in between.
   */
  async restart(signal, whileDown) {
    this.#isHeld = true;
    const ended = once(this.#child, 'exit');
    this.#child.kill(signal);
    await ended;
    try {
      await whileDown();
    } finally {
      this.#isHeld = false;
      this.#start();
    }
  }

  async stop() {
    this.#isStopping = true;
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(this.#command.stopSignal ?? 'SIGTERM');
    const deadline = setTimeout(() => child.kill('SIGKILL'), stopMs);
    await ended;
    clearTimeout(deadline);
  }

  #start() {
    if (this.#isStopping) return;
    const { program, args, options, logFile } = this.#command;
    const log = openSync(logFile, 'a');
    // In a group of its own: Ctrl-C reaches only the program that stops all processes in order.
    this.#child = spawn(program, args, { ...options, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#child.once('exit', () => this.#startAnew());
  }

  async #startAnew() {
    if (this.#isStopping) return;
    this.ends++;
    if (this.#isHeld) return;
    await wait(pauseMs);
    this.#start();
  }
}
