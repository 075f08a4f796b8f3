/** Stands in for event-loop.ts: workers have no overload protection, and older ones have no `node:perf_hooks`. */
export class ProcessEventLoop {
  constructor() {
    throw new Error('a worker does not measure its event loop');
  }
}
