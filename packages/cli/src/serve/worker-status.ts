/** Describes the health of a worker, for the log. */
import type { ServeEvent } from './reporter.ts';
import type { WorkerProcess } from './worker-process.ts';

/** @param current `undefined` between two processes. */
export function describeStatus(
  number: number,
  current: WorkerProcess | undefined,
  restarts: number,
): ServeEvent {
  const state = stateOf(current);
  const upSeconds = current === undefined ? 0 : Math.round((performance.now() - current.startedMs) / 1_000);
  const { rssBytes = 0, delayMs = 0, connections = 0 } = current?.status ?? {};
  const memory = `${(rssBytes / 2 ** 20).toFixed(0)} MiB`;
  return {
    event: 'status',
    text: `worker ${number} (pid ${current?.pid ?? '-'}): ${state}, up ${upSeconds} s, ${restarts} restarts, ${memory}, ${connections} connections, event loop ${delayMs} ms late`,
    details: {
      worker: number,
      pid: current?.pid,
      state,
      upSeconds,
      restarts,
      rssBytes,
      delayMs,
      connections,
    },
  };
}

function stateOf(current: WorkerProcess | undefined): string {
  if (current === undefined) return 'down';
  if (current.isStopping) return 'stopping';
  return current.isServing ? 'serving' : 'booting';
}
