/** The program of a worker: serves the application, sends its status to the main process, and stops on its request. */
import { printReport, startDevelopmentSession } from '@ambit/readable';
import { CommandError } from '../command.ts';
import { withResolvers } from '../with-resolvers.ts';
import type {
  FromWorker,
  ReleaseMessage,
  SessionMessage,
  StopMessage,
  StopOptions,
  WorkerTask,
} from './messages.ts';
import { longestStopMs, statusEveryMs } from './messages.ts';
import { type ServedApplication, type ServeOptions, serveApplication } from './serve-application.ts';

// The program must not read it as an argument of its own.
const [task] = process.argv.splice(2).map((text) => JSON.parse(text) as WorkerTask) as [WorkerTask];
const startedMs = performance.now();
/** How often a worker that stops checks whether it still accepts connections. Declared before the first `await`: it may stop while it boots. */
const checkEveryMs = 5;
let served: ServedApplication | undefined;
/** Before the application is imported, so that its tools find it. */
const session = task.isDevelopment ? startDevelopmentSession() : undefined;

// Ctrl-C reaches every process of the terminal, but the main process decides what to do.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {});
process.on('SIGTERM', () => stop({ graceMs: task.graceMs }));
const released = withResolvers<void>();
process.on('message', (message: StopMessage | ReleaseMessage | SessionMessage | null) => {
  if (message?.ambit === 'stop') stop(message);
  if (message?.ambit === 'release') released.resolve();
  if (message?.ambit === 'session') session?.update(message.change);
});

try {
  served = await serveApplication(
    task.appArgument,
    task.place,
    task.isDevelopment ? await developmentOptions() : {},
  );
  const { address, host, mountedPath: inspector } = served;
  const docs = task.isDevelopment
    ? (await import('../application/framework.ts')).findDocs(served)
    : undefined;
  const bootMs = performance.now() - startedMs;
  await send({ ambit: 'ready', address, host, bootMs, paths: { inspector, docs } });
  sendStatus(served);
} catch (error) {
  // Anything can be thrown.
  const cause: Partial<NodeJS.ErrnoException & { url: string }> = Object(
    error instanceof CommandError ? error.cause : error,
  );
  const { stack = cause.message ?? '', code, url } = cause;
  const text = error instanceof CommandError ? error.message : String(cause.message ?? error);
  const missing = code === 'ERR_MODULE_NOT_FOUND' && url !== undefined ? { missing: url } : {};
  const report = error instanceof CommandError ? error.report : undefined;
  await send({ ambit: 'failed', text, stack: String(stack), report, ...missing });
  process.exit(1);
}

/** A forgotten `await` does not end development, as Node would end the process, unless the application decides itself. */
function reportRejections({ reportError }: typeof import('ambit')): void {
  const prefix =
    'A promise was rejected, and nobody handles that (without `ambit dev`, it ends the process): ';
  process.on('unhandledRejection', (reason) => {
    if (process.listenerCount('unhandledRejection') > 1) return;
    process.stderr.write(`\n${printReport(reportError(reason), { prefix })}\n\n`);
  });
}

async function developmentOptions(): Promise<ServeOptions> {
  const [{ writeRequests }, { mountInspector }] = await Promise.all([
    import('../dev/request-lines.ts'),
    import('../application/framework.ts'),
  ]);
  writeRequests();
  reportRejections(await import('ambit'));
  return { onWaiting: () => send({ ambit: 'waiting' }), mount: mountInspector };
}

function reportWhenClosed(): void {
  if (served?.isListening) setTimeout(reportWhenClosed, checkEveryMs);
  else send({ ambit: 'closed' });
}

async function stop(options: StopOptions): Promise<void> {
  setTimeout(() => process.exit(1), longestStopMs(options));
  const ended = served?.stop(options);
  reportWhenClosed();
  const inTime = await ended?.catch((error) => {
    console.error(error);
    return false;
  });
  await released.promise;
  // When this message is sent, all earlier messages are sent too.
  await send({ ambit: 'ended', left: session?.left ?? {} });
  process.exit(inTime === false ? 1 : 0);
}

function send(message: FromWorker): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, () => resolve());
  });
}

function sendStatus(application: ServedApplication): void {
  let expectedMs = performance.now() + statusEveryMs;
  setInterval(async () => {
    const delayMs = Math.max(0, performance.now() - expectedMs);
    expectedMs = performance.now() + statusEveryMs;
    await send({
      ambit: 'status',
      rssBytes: process.memoryUsage.rss(),
      delayMs: Math.round(delayMs),
      connections: await application.countConnections(),
    });
  }, statusEveryMs).unref();
}
