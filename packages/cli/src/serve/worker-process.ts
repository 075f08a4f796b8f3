/** One worker process, as seen by the main process: it boots or fails, serves, and ends. */
import cluster, { type Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { programUrl } from '../command.ts';
import {
  type FromWorker,
  longestStopMs,
  type ReleaseMessage,
  type SessionMessage,
  type StopMessage,
  type StopOptions,
  type WorkerStatus,
  type WorkerTask,
} from './messages.ts';

export type Ready = Extract<FromWorker, { ambit: 'ready' }>;

/** The reason why an application did not boot in a worker. */
type Failed = Extract<FromWorker, { readonly ambit: 'failed' }>;

export class BootFailure extends Error {
  /** The URL of the module that does not exist, if this is the reason. */
  readonly missing: string | undefined;
  /** The text for people, if it is an error of boot. */
  readonly report: string | undefined;

  constructor(text: string, stack: string, { missing, report }: Pick<Failed, 'missing' | 'report'> = {}) {
    super(text);
    this.stack = stack;
    this.missing = missing;
    this.report = report;
  }
}

export interface ExitResult {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface ForkOptions {
  /** Variables that differ from those of this process; `undefined` for a variable that the worker does not get. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether the output of the worker is read by the main process. */
  readonly isSilent?: boolean;
}

/** How long after its longest stop time a worker that has not ended is killed. */
const killAfterMs = 1_000;

export class WorkerProcess {
  readonly worker: Worker;
  readonly startedMs: number = performance.now();
  /** Rejects with a {@link BootFailure}. */
  readonly ready: Promise<Ready>;
  readonly ended: Promise<ExitResult>;
  /** What tools of the application have left, when it has ended. */
  left: Readonly<Record<string, string>> = {};
  /** Resolves when no more new connections reach it. */
  readonly closed: Promise<unknown>;
  /** Whether `stop` was called. */
  isStopping = false;
  isServing = false;
  status: WorkerStatus | undefined;
  /** How many statuses are missing since the last one. */
  missedStatuses = 0;

  constructor(task: WorkerTask, { env = {}, isSilent = false }: ForkOptions = {}) {
    cluster.setupPrimary({
      exec: fileURLToPath(programUrl('serve/worker.mjs')),
      args: [JSON.stringify(task)],
      silent: isSilent,
    });
    this.worker = cluster.fork(env);
    this.ended = new Promise((resolve) => {
      this.worker.once('exit', (code: number | null, signal: string | null) => resolve({ code, signal }));
    });
    const closed = new Promise<void>((resolve) => {
      this.worker.on('message', (message: FromWorker | null) => {
        if (message?.ambit !== 'closed') return;
        this.#send({ ambit: 'release' });
        resolve();
      });
    });
    this.closed = Promise.race([closed, this.ended]);
    this.ready = new Promise((resolve, reject) => {
      this.worker.on('message', (message: FromWorker | null) => {
        if (message?.ambit === 'ready') resolve(message);
        else if (message?.ambit === 'failed') reject(new BootFailure(message.text, message.stack, message));
        else if (message?.ambit === 'status') this.#storeStatus(message);
        else if (message?.ambit === 'ended') this.left = message.left;
      });
      this.ended.then(({ code, signal }) => {
        const text = `the process ended with ${signal ?? `exit code ${code}`} before the application was ready`;
        reject(new BootFailure(text, text));
      });
    });
    this.ready.then(
      () => {
        this.isServing = true;
      },
      () => {},
    );
  }

  get pid(): number {
    return this.worker.process.pid ?? 0;
  }

  /** Stops the worker, and kills it if it does not end by itself. @returns Its exit code or signal. */
  async stop(options: StopOptions): Promise<ExitResult> {
    this.isStopping = true;
    this.#send({ ambit: 'stop', ...options });
    const timer = setTimeout(() => this.kill(), longestStopMs(options) + killAfterMs);
    const ended = await this.ended;
    clearTimeout(timer);
    return ended;
  }

  kill(): void {
    this.worker.process.kill('SIGKILL');
  }

  /** Tells the tools of the application something. */
  tell(change: SessionMessage['change']): void {
    this.#send({ ambit: 'session', change });
  }

  /** Sends a message, unless the worker has already ended. */
  #send(message: StopMessage | ReleaseMessage | SessionMessage): void {
    if (this.worker.isConnected()) this.worker.send(message, () => {});
  }

  #storeStatus({ rssBytes, delayMs, connections }: WorkerStatus): void {
    this.status = { rssBytes, delayMs, connections };
    this.missedStatuses = 0;
  }
}
