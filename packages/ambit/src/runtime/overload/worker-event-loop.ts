/** Replaces event-loop.ts in the build for workers: they have no overload protection, and older ones have no `node:perf_hooks`. */
export class ProcessEventLoop {
  constructor() {
    throw new Error('a worker does not measure its event loop');
  }
}
