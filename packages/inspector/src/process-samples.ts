/** What the process uses, once a second: the delay of its event loop, memory and processor time. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ProcessSample } from './model.ts';

const everyMs = 1_000;
/** Ten minutes. */
const maxSamples = 600;
/** The monitor looks every so many milliseconds; its delays contain this time. */
const resolutionMs = 10;

export class ProcessSamples {
  /** The oldest first. */
  readonly samples: ProcessSample[] = [];
  readonly #delay = monitor();
  readonly #timer: NodeJS.Timeout;
  #cpu = process.cpuUsage();
  #atMs = performance.now();

  /** @param onSample Called with each sample. @param countRunning How many requests run. */
  constructor(onSample: () => void, countRunning: () => number) {
    this.#delay?.enable();
    this.#timer = setInterval(() => {
      this.samples.push(this.#take(countRunning()));
      if (this.samples.length > maxSamples) this.samples.shift();
      onSample();
    }, everyMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#delay?.disable();
  }

  #take(running: number): ProcessSample {
    const { rss, heapUsed } = process.memoryUsage();
    const cpu = process.cpuUsage();
    const nowMs = performance.now();
    const cpuMs = (cpu.user + cpu.system - this.#cpu.user - this.#cpu.system) / 1000;
    const cpuShare = cpuMs / (nowMs - this.#atMs);
    this.#cpu = cpu;
    this.#atMs = nowMs;
    return { at: Date.now(), delayMs: this.#takeDelay(), rss, heapUsed, cpuShare, running };
  }

  /** The longest delay since the last sample. */
  #takeDelay(): number | null {
    const delay = this.#delay;
    if (delay === undefined) return null;
    const ms = delay.max / 1e6 - resolutionMs;
    delay.reset();
    return Math.max(0, Math.round(ms * 100) / 100);
  }
}

/** `undefined` on runtimes without a monitor. */
function monitor(): ReturnType<typeof monitorEventLoopDelay> | undefined {
  try {
    return monitorEventLoopDelay({ resolution: resolutionMs });
  } catch {
    return undefined;
  }
}
