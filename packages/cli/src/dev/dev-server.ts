/** Serves an application in development. Each change starts a new process, and the old one serves until the new one is ready. */
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { readFrame } from '../application/application-failure.ts';
import { toDisplayPath } from '../application/find-application.ts';
import { version } from '../command.ts';
import { open } from '../commands/inspect.ts';
import { currentVariables, environmentFile } from '../environment-file.ts';
import { developmentIdleMs, type WorkerTask } from '../serve/messages.ts';
import { reporterFor, type ServeEvent } from '../serve/reporter.ts';
import { type BootFailure, type Ready, WorkerProcess } from '../serve/worker-process.ts';
import { type Paint, paintFor } from '../terminal.ts';
import { type Addresses, type Key, keyHelp, startBlock } from './dev-screen.ts';
import { FileWatcher } from './file-watcher.ts';

export interface DevOptions {
  /** The module of the application. */
  readonly file: string;
  readonly task: WorkerTask;
  readonly env: Readonly<Record<string, string>>;
  /** Whether events and lines of loggers are lines of JSON. */
  readonly isJson: boolean;
  /** Whether keys of the terminal are read. */
  readonly hasKeys: boolean;
}

export class DevServer {
  readonly #options: DevOptions;
  readonly #watcher: FileWatcher;
  readonly #paint: Paint = paintFor(process.stdout);
  readonly #reportJson = reporterFor(true);
  /** The process that serves. */
  #current: WorkerProcess | undefined;
  /** The process that boots. */
  #next: WorkerProcess | undefined;
  #addresses: Addresses | undefined;
  /** When the version that serves was ready. */
  #servesSince = '';
  /** The error of the last boot, until one succeeds. */
  #failure: string | undefined;
  /** The addresses that the logger had written before the command knew its own. */
  readonly #listening: string[] = [];
  #isStopping = false;

  constructor(options: DevOptions) {
    this.#options = options;
    this.#watcher = new FileWatcher((file) => this.#boot(`${toDisplayPath(file)} changed`, file));
    this.#watcher.add(options.file);
    this.#watcher.add(environmentFile);
  }

  start(): void {
    this.#boot('');
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#watcher.close();
    this.#next?.kill();
    await this.#current?.stop({ graceMs: this.#options.task.graceMs, idleMs: 0 });
  }

  kill(): void {
    this.#next?.kill();
    this.#current?.kill();
  }

  /** The keys of the terminal. @param quit Ends the command. */
  keys(quit: () => void): readonly Key[] {
    const { local, docs, inspector } = this.#addresses ?? {};
    const opener = (key: string, text: string, url: string | undefined): Key[] =>
      url?.startsWith('http') ? [[key, text, () => open(url)]] : [];
    const keys: Key[] = [
      ['r', 'restart', () => this.#boot('restart')],
      ...opener('o', 'open in the browser', local),
      ...opener('d', 'open the documentation', docs),
      ...opener('i', 'open the inspector', inspector),
      ['c', 'clear the screen', () => process.stdout.write('\x1b[2J\x1b[3J\x1b[H')],
      ['q', 'quit', quit],
    ];
    return [...keys, ['h', 'this help', () => process.stdout.write(keyHelp(keys, this.#paint))]];
  }

  /** @param reason Why, for people. @param changed The file that has changed. */
  async #boot(reason: string, changed?: string): Promise<void> {
    const startedMs = performance.now();
    this.#next?.kill();
    const next = this.#fork();
    this.#next = next;
    try {
      const ready = await next.ready;
      if (this.#next !== next || this.#isStopping) return;
      this.#next = undefined;
      await this.#replace(next);
      this.#reportReady(ready, { reason, changed, ms: Math.round(performance.now() - startedMs) });
    } catch (error) {
      // The process was killed because of another change.
      if (this.#next !== next || this.#isStopping) return;
      this.#next = undefined;
      this.#reportFailure(error as BootFailure, reason);
    }
  }

  #fork(): WorkerProcess {
    const { task, env, isJson } = this.#options;
    // With this variable, Node reports to the parent process which files a process loads. `node --watch` uses it too.
    const worker = new WorkerProcess(task, {
      env: { ...currentVariables(), ...env, WATCH_REPORT_DEPENDENCIES: '1' },
      isSilent: true,
    });
    worker.worker.on('message', (message: Record<string, unknown> | null) => {
      for (const path of [message?.['watch:require'], message?.['watch:import']].flat()) this.#watch(path);
      if (message?.ambit === 'waiting') this.#reportWaiting();
    });
    const { stdout, stderr } = worker.worker.process;
    stderr!.pipe(process.stderr, { end: false });
    if (isJson) stdout!.pipe(process.stdout, { end: false });
    else this.#showLog(stdout!.setEncoding('utf8'));
    return worker;
  }

  async #showLog(output: NodeJS.ReadableStream): Promise<void> {
    const { readableLog } = await import('ambit');
    const log = readableLog(undefined, { isHidden: (line) => this.#isShownElsewhere(line) });
    output.on('data', (chunk: string) => log.write(chunk)).on('end', () => log.end());
  }

  /** The lines of a logger that say what the command says. Other applications of the program have other addresses. */
  #isShownElsewhere({ msg, event }: Readonly<Record<string, unknown>>): boolean {
    if (msg === 'request completed') return event === undefined;
    if (typeof msg !== 'string' || !msg.startsWith('Server listening at ')) return false;
    if (this.#addresses !== undefined) return msg.endsWith(portOf(this.#addresses.local));
    this.#listening.push(msg);
    return true;
  }

  #watch(path: unknown): void {
    if (typeof path !== 'string' || path.startsWith('node:')) return;
    const file = path.startsWith('file:') ? fileURLToPath(path) : path;
    this.#watcher.add(file);
  }

  async #replace(next: WorkerProcess): Promise<void> {
    const old = this.#current;
    this.#current = next;
    this.#watcher.watchesAll = false;
    this.#watchEnd(next);
    old?.ended.then(() => this.#current?.tell({ found: old.left }));
    const { graceMs } = this.#options.task;
    // From here on, no new connection reaches the old version.
    if (old !== undefined) await Promise.race([old.stop({ graceMs, idleMs: developmentIdleMs }), old.closed]);
  }

  #reportReady(
    { address: listening, host, paths }: Ready,
    { reason, changed, ms }: { reason: string; changed: string | undefined; ms: number },
  ): void {
    const { file, hasKeys } = this.#options;
    // No browser knows the address of all interfaces.
    const address = listening.replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//localhost:');
    const [inspector, docs] = [paths.inspector, paths.docs].map((path) => path && address + path);
    const isNew = this.#addresses?.local !== address;
    const isMended = this.#failure !== undefined;
    this.#addresses = { local: address, host, inspector, docs };
    this.#failure = undefined;
    this.#servesSince = clock();
    const block = startBlock(
      {
        title: `Ambit ${version}`,
        detail: `${toDisplayPath(file)} ready in ${ms} ms`,
        hint: hasKeys ? 'h for help' : undefined,
      },
      this.#addresses,
      this.#paint,
    );
    const text = `${reason}${isMended ? ', and is mended' : ''}: ready in ${ms} ms`;
    const details = { address, inspector, docs, ms, ...(changed && { changed: toDisplayPath(changed) }) };
    if (isNew && !this.#options.isJson) process.stdout.write(block);
    const others = this.#listening.splice(0).filter((text) => !text.endsWith(portOf(address)));
    for (const text of others) this.#report({ event: 'listening', text });
    if (isNew) this.#report({ event: 'listening', text: `ready in ${ms} ms at ${address}`, details }, false);
    else this.#report({ event: 'restarted', text, details });
  }

  #watchEnd(next: WorkerProcess): void {
    next.ended.then(({ code, signal }) => {
      if (next.isStopping || this.#current !== next) return;
      this.#current = undefined;
      this.#watcher.watchesAll = true;
      const reason = signal ?? `exit code ${code}`;
      const text = `the application ended with ${reason}; it starts again when a file changes`;
      this.#report({ event: 'died', level: 'error', text, details: { code, signal } });
    });
  }

  #reportWaiting(): void {
    const text = `${toDisplayPath(this.#options.file)} is loaded; waiting until it calls \`listen\``;
    this.#report({ event: 'waiting', text });
  }

  #reportFailure({ message, stack = '', missing, report }: BootFailure, reason: string): void {
    this.#watcher.watchesAll = true;
    if (missing?.startsWith('file:')) this.#watcher.addMissing(fileURLToPath(missing));
    const rest =
      this.#current === undefined
        ? 'it starts when a file changes'
        : `still serving the version of ${this.#servesSince}`;
    const problem = stripVTControlCharacters(report ?? message);
    this.#current?.tell({ problem: { title: problem.split('\n', 1)[0]!, text: problem } });
    const isSame = this.#failure === message;
    this.#failure = message;
    const frames = stack.split('\n').filter((line) => readFrame(line) !== undefined);
    const lines = [this.#paint('red', message), ...frames.map((line) => this.#paint('dim', line)), rest];
    const text = isSame
      ? `${reason}, and the error is the same: ${rest}`
      : report === undefined
        ? [...(reason === '' ? [] : [reason]), ...lines].join('\n         ')
        : `${reason || 'the application does not start'}\n\n${report}\n\n${rest}`;
    this.#report({ event: 'failed', level: 'error', text, details: { stack } });
  }

  /** @param isShown Whether people see it. */
  #report(event: ServeEvent, isShown = true): void {
    if (this.#options.isJson) this.#reportJson(event);
    else if (isShown) process.stdout.write(`${this.#paint('dim', clock())} ${event.text}\n`);
  }
}

/** `:3000` */
function portOf(address: string): string {
  return /:\d+$/.exec(address)?.[0] ?? address;
}

/** `12:03:04` */
function clock(): string {
  return new Date().toTimeString().slice(0, 8);
}
