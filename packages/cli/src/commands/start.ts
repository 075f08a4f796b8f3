/** `ambit start`: serves an application in production, in this process or in workers. */
import { CommandError, type CommandLine, exitCodes, integerOption, usageError } from '../command.ts';
import { fixPort, type ListenPlace, readListenOptions } from '../serve/listen-options.ts';
import { type Report, reporterFor } from '../serve/reporter.ts';
import { serveApplication } from '../serve/serve-application.ts';
import { onStopSignals } from '../serve/stop-signals.ts';
import { withResolvers } from '../with-resolvers.ts';

interface StartOptions {
  readonly appArgument: string | undefined;
  readonly place: ListenPlace;
  readonly graceMs: number;
  /** How long it serves after SIGTERM before it stops. */
  readonly delayMs: number;
  readonly report: Report;
}

const signals = ['SIGTERM', 'SIGINT'] as const;

export async function run(line: CommandLine): Promise<number> {
  process.env.NODE_ENV ??= 'production';
  const options: StartOptions = {
    appArgument: line.arguments[0],
    place: readListenOptions(line),
    graceMs: (integerOption(line, 'deadline', [1, 3_600]) ?? 10) * 1_000,
    delayMs: (integerOption(line, 'delay', [0, 3_600]) ?? 0) * 1_000,
    report: reporterFor(line.options.json === true),
  };
  const count = await readWorkers(line);
  const missedStatuses = integerOption(line, 'worker-timeout', [1, 3_600]) ?? 30;
  return count === undefined ? serveHere(options) : serveInWorkers(options, count, missedStatuses);
}

async function readWorkers(line: CommandLine): Promise<number | undefined> {
  if (line.options.workers === 'auto') return (await import('node:os')).availableParallelism();
  const count = integerOption(line, 'workers', [1, 1_024]);
  if (count === undefined && line.options['worker-timeout'] !== undefined)
    throw usageError('--worker-timeout needs --workers', line.command);
  return count;
}

async function serveHere({ appArgument, place, report, ...times }: StartOptions): Promise<number> {
  const stopped = withResolvers<NodeJS.Signals>();
  onStopSignals([...signals, 'SIGHUP'], stopped.resolve);
  const served = await serveApplication(appArgument, place);
  const { address } = served;
  report({
    event: 'listening',
    text: `listening at ${address} (pid ${process.pid})`,
    details: { address, pid: process.pid },
  });
  const stopOptions = reportSignal(report, await stopped.promise, times);
  return reportStop(report, await served.stop(stopOptions), times.graceMs);
}

async function serveInWorkers(
  { appArgument, place, report, ...times }: StartOptions,
  count: number,
  missedStatuses: number,
): Promise<number> {
  const { WorkerPool } = await import('../serve/worker-pool.ts');
  const { graceMs } = times;
  const task = { appArgument, place: await fixPort(place), graceMs, isDevelopment: false };
  const pool = new WorkerPool({ count, task, graceMs, missedStatuses, report });
  const stopped = withResolvers<NodeJS.Signals>();
  onStopSignals(signals, stopped.resolve, () => pool.kill());
  process.on('SIGHUP', () => pool.reload());
  process.on('SIGUSR2', () => pool.reportStatus());
  const first = await Promise.race([pool.start().catch(bootFailure), stopped.promise]);
  // Not a signal, but the address: that of a server, or the path of a socket.
  if (!first.startsWith('SIG')) {
    const text = `listening at ${first} with ${count} workers (pid ${process.pid})`;
    report({ event: 'listening', text, details: { address: first, pid: process.pid, workers: count } });
  }
  const signal = await Promise.race([stopped.promise, pool.allWorkersFailed]);
  if (signal === undefined)
    throw new CommandError({ problem: 'no worker is left', remedy: 'The lines above say why.' });
  const { delayMs } = reportSignal(report, signal, times);
  return reportStop(report, await pool.stop({ delayMs }), graceMs);
}

/** @returns The times for stopping. There is no delay after Ctrl-C, because no load balancer has to notice it. */
function reportSignal(
  report: Report,
  signal: NodeJS.Signals,
  times: Pick<StartOptions, 'graceMs' | 'delayMs'>,
): Pick<StartOptions, 'graceMs' | 'delayMs'> {
  const delayMs = signal === 'SIGTERM' ? times.delayMs : 0;
  const when = delayMs === 0 ? '' : ` after ${delayMs / 1_000} s, in which everything is served`;
  report({ event: 'stopping', text: `${signal}: stopping${when}`, details: { signal, delayMs } });
  return { graceMs: times.graceMs, delayMs };
}

function bootFailure(cause: Error): never {
  throw new CommandError({ problem: cause.message, cause });
}

function reportStop(report: Report, inTime: boolean, graceMs: number): number {
  const text = inTime
    ? 'stopped'
    : `not everything ended within ${graceMs / 1_000} s: connections were cut off`;
  report({ event: 'stopped', level: inTime ? 'info' : 'error', text });
  return inTime ? exitCodes.ok : exitCodes.failed;
}
