/** Serves an application in development. Each change starts a new process, and the old one serves until the new one is ready. */
import { fileURLToPath } from 'node:url';
import { readFrame } from '../application/application-failure.ts';
import { toDisplayPath } from '../application/find-application.ts';
import { currentVariables, environmentFile } from '../environment-file.ts';
import { developmentIdleMs, type WorkerTask } from '../serve/messages.ts';
import type { Report } from '../serve/reporter.ts';
import { type BootFailure, type Ready, WorkerProcess } from '../serve/worker-process.ts';
import type { Paint } from '../terminal.ts';
import { FileWatcher } from './file-watcher.ts';
import { PrettyLogs } from './pretty-logs.ts';

export interface DevOptions {
  /** The module of the application. */
  readonly file: string;
  readonly task: WorkerTask;
  readonly env: Readonly<Record<string, string>>;
  readonly report: Report;
  readonly paint: Paint;
  /** Whether lines of JSON are printed unchanged. */
  readonly isJson: boolean;
}

/** Requests of the old version get this long to end. */
const graceMs = 5_000;

export class DevServer {
  readonly #options: DevOptions;
  readonly #watcher: FileWatcher;
  /** The process that serves. */
  #current: WorkerProcess | undefined;
  /** The process that boots. */
  #next: WorkerProcess | undefined;
  #isStopping = false;

  constructor(options: DevOptions) {
    this.#options = options;
    this.#watcher = new FileWatcher((file) => this.#boot(file));
    this.#watcher.add(options.file);
    this.#watcher.add(environmentFile);
  }

  start(): void {
    this.#boot(undefined);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#watcher.close();
    this.#next?.kill();
    await this.#current?.stop({ graceMs, idleMs: 0 });
  }

  kill(): void {
    this.#next?.kill();
    this.#current?.kill();
  }

  /** @param changed The file that has changed; `undefined` for the first boot. */
  async #boot(changed: string | undefined): Promise<void> {
    const startedMs = performance.now();
    this.#next?.kill();
    const next = this.#fork();
    this.#next = next;
    try {
      const ready = await next.ready;
      if (this.#next !== next || this.#isStopping) return;
      this.#next = undefined;
      await this.#serve(next, ready, changed, startedMs);
    } catch (error) {
      // The process was killed because of another change.
      if (this.#next !== next || this.#isStopping) return;
      this.#next = undefined;
      this.#reportFailure(error as BootFailure);
    }
  }

  #fork(): WorkerProcess {
    const { task, env, isJson, paint } = this.#options;
    // With this variable, Node reports to the parent process which files a process loads. `node --watch` uses it too.
    const worker = new WorkerProcess(task, {
      env: { ...currentVariables(), ...env, WATCH_REPORT_DEPENDENCIES: '1' },
      isSilent: true,
    });
    worker.worker.on('message', (message: Record<string, unknown> | null) => {
      for (const path of [message?.['watch:require'], message?.['watch:import']].flat()) this.#watch(path);
    });
    const { stdout, stderr } = worker.worker.process;
    const logs = new PrettyLogs(paint);
    stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      process.stdout.write(isJson ? chunk : logs.write(chunk));
    });
    stdout!.on('end', () => process.stdout.write(logs.end()));
    stderr!.pipe(process.stderr, { end: false });
    return worker;
  }

  #watch(path: unknown): void {
    if (typeof path !== 'string' || path.startsWith('node:')) return;
    const file = path.startsWith('file:') ? fileURLToPath(path.replace(/[?#].*$/, '')) : path;
    this.#watcher.add(file);
  }

  async #serve(
    next: WorkerProcess,
    { address, mountedPath }: Ready,
    changed: string | undefined,
    startedMs: number,
  ): Promise<void> {
    const old = this.#current;
    this.#current = next;
    this.#watcher.watchesAll = false;
    this.#watchEnd(next);
    // From here on, no new connection reaches the old version.
    if (old !== undefined) await Promise.race([old.stop({ graceMs, idleMs: developmentIdleMs }), old.closed]);
    const ms = Math.round(performance.now() - startedMs);
    const isFirst = changed === undefined;
    const inspector = mountedPath === undefined ? undefined : address + mountedPath;
    this.#options.report({
      event: isFirst ? 'listening' : 'restarted',
      text: isFirst
        ? `${address} is ready after ${ms} ms`
        : `${toDisplayPath(changed)} has changed: restarted in ${ms} ms at ${address}`,
      details: { address, inspector, ms, ...(!isFirst && { changed: toDisplayPath(changed) }) },
    });
    if (isFirst && inspector !== undefined)
      this.#options.report({ event: 'inspector', text: `inspector: ${inspector}`, details: { inspector } });
  }

  #watchEnd(next: WorkerProcess): void {
    next.ended.then(({ code, signal }) => {
      if (next.isStopping || this.#current !== next) return;
      this.#current = undefined;
      this.#watcher.watchesAll = true;
      const reason = signal ?? `exit code ${code}`;
      this.#options.report({
        event: 'died',
        level: 'error',
        text: `the application ended with ${reason}. It starts again when a file changes.`,
        details: { code, signal },
      });
    });
  }

  #reportFailure({ message, stack = '', missing }: BootFailure): void {
    const { report, paint } = this.#options;
    this.#watcher.watchesAll = true;
    if (missing?.startsWith('file:')) this.#watcher.addMissing(fileURLToPath(missing));
    const rest =
      this.#current === undefined ? 'It starts when a file changes.' : 'The previous version goes on.';
    const frames = stack.split('\n').filter((line) => readFrame(line) !== undefined);
    const text = [`${message} ${rest}`, ...frames.map((line) => paint('dim', line))].join('\n');
    report({ event: 'failed', level: 'error', text, details: { stack } });
  }
}
