/** The program of a worker: serves the application, tells the main process how it is, and stops when it is told to. */
import { CommandError } from '../command-error.ts';
import { withResolvers } from '../with-resolvers.ts';
import type { FromWorker, ReleaseMessage, StopMessage, StopOptions, WorkerTask } from './messages.ts';
import { longestStopMs, statusEveryMs } from './messages.ts';
import { type Served, type ServeOptions, serveApplication } from './serve-application.ts';

const task = JSON.parse(process.argv[2]!) as WorkerTask;
const startedMs = performance.now();
let served: Served | undefined;

// Ctrl-C reaches every process of the terminal: the main process decides what to do.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {});
process.on('SIGTERM', () => stop({ graceMs: task.graceMs }));
const released = withResolvers<void>();
process.on('message', (message: StopMessage | ReleaseMessage | null) => {
  if (message?.ambit === 'stop') stop(message);
  if (message?.ambit === 'release') released.resolve();
});

try {
  served = await serveApplication(task.named, task, task.isDevelopment ? await developmentOptions() : {});
  const { address, mounted } = served;
  const bootMs = performance.now() - startedMs;
  await send({ ambit: 'ready', address, bootMs, ...(mounted !== undefined && { mounted }) });
  sendStatus(served);
} catch (error) {
  // Anything can be thrown.
  const cause: Partial<NodeJS.ErrnoException & { url: string }> = Object(
    error instanceof CommandError ? error.cause : error,
  );
  const { stack = cause.message ?? '', code, url } = cause;
  const text = error instanceof CommandError ? error.message : String(cause.message ?? error);
  const missing = code === 'ERR_MODULE_NOT_FOUND' && url !== undefined ? { missing: url } : {};
  await send({ ambit: 'failed', text, stack: String(stack), ...missing });
  process.exit(1);
}

async function developmentOptions(): Promise<ServeOptions> {
  const [{ logRequests }, { mountInspector }] = await Promise.all([
    import('../dev/log-requests.ts'),
    import('../application/mount-inspector.ts'),
  ]);
  return { onMade: logRequests, mount: mountInspector };
}

/** How often a worker that stops looks whether it still accepts. */
const lookEveryMs = 5;

function tellWhenClosed(): void {
  if (served?.isListening) setTimeout(tellWhenClosed, lookEveryMs);
  else send({ ambit: 'closed' });
}

async function stop(options: StopOptions): Promise<void> {
  setTimeout(() => process.exit(1), longestStopMs(options));
  const ended = served?.stop(options);
  tellWhenClosed();
  const inTime = await ended?.catch((error) => {
    console.error(error);
    return false;
  });
  await released.promise;
  // What was sent before has left when this one has.
  await send({ ambit: 'ended' });
  process.exit(inTime === false ? 1 : 0);
}

function send(message: FromWorker): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, () => resolve());
  });
}

function sendStatus(of: Served): void {
  let expectedMs = performance.now() + statusEveryMs;
  setInterval(async () => {
    const delayMs = Math.max(0, performance.now() - expectedMs);
    expectedMs = performance.now() + statusEveryMs;
    await send({
      ambit: 'status',
      rssBytes: process.memoryUsage.rss(),
      delayMs: Math.round(delayMs),
      connections: await of.countConnections(),
    });
  }, statusEveryMs).unref();
}
