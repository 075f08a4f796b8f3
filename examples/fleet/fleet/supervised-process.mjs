// A process that is restarted whenever it ends, as by systemd or Kubernetes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** A process that does not end in this time is killed. */
const stopTimeoutMs = 20_000;
/** The pause before a restart. */
const restartDelayMs = 200;

export class SupervisedProcess {
  /** How often the process has ended, except by `stop`. */
  exitCount = 0;
  #command;
  #child;
  #isDown = false;
  #isStopping = false;

  /**
   * Starts the process.
   *
   * @param {string} name The name of the process.
   * @param {{ program: string, args: string[], options?: object, logFile: string, stopSignal?: string }} command The
   *   program, the file for its output, and the signal for a graceful shutdown (default: SIGTERM).
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
   * Ends the process with a signal, and starts it again.
   *
   * @param {string} signal A signal of the system, such as SIGKILL.
   * @param {() => Promise<void>} whileDown Is called while the process is down.
   */
  async restart(signal, whileDown) {
    this.#isDown = true;
    const ended = once(this.#child, 'exit');
    this.#child.kill(signal);
    await ended;
    try {
      await whileDown();
    } finally {
      this.#isDown = false;
      this.#start();
    }
  }

  async stop() {
    this.#isStopping = true;
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(this.#command.stopSignal ?? 'SIGTERM');
    const deadline = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
    await ended;
    clearTimeout(deadline);
  }

  #start() {
    if (this.#isStopping) return;
    const { program, args, options, logFile } = this.#command;
    const log = openSync(logFile, 'a');
    // In a separate process group, so that Ctrl-C reaches only this program, which then stops all processes gracefully.
    this.#child = spawn(program, args, { ...options, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#child.once('exit', () => this.#handleExit());
  }

  async #handleExit() {
    if (this.#isStopping) return;
    this.exitCount++;
    if (this.#isDown) return;
    await wait(restartDelayMs);
    this.#start();
  }
}
