/** Owns the queues of loader.ts: tasks that run one after another, and wait while their queue is paused. */
import type { AvvioCallback } from './avvio.ts';

interface QueuedTask<Task> {
  readonly task: Task;
  readonly onDone: AvvioCallback;
}

/** A new queue is paused. */
export class TaskQueue<Task> {
  /** Called when no task is left. */
  onEmpty: () => void = doNothing;
  readonly #run: (task: Task, done: AvvioCallback) => void;
  readonly #waiting: QueuedTask<Task>[] = [];
  #isPaused = true;
  #isRunning = false;

  constructor(run: (task: Task, done: AvvioCallback) => void) {
    this.#run = run;
  }

  get isIdle(): boolean {
    return !this.#isRunning && this.#waiting.length === 0;
  }

  add(task: Task, onDone: AvvioCallback = doNothing): void {
    this.#waiting.push({ task, onDone });
    if (!this.#isPaused && !this.#isRunning) this.#runNext();
  }

  addFirst(task: Task, onDone: AvvioCallback = doNothing): void {
    this.#waiting.unshift({ task, onDone });
    if (!this.#isPaused && !this.#isRunning) this.#runNext();
  }

  /** The running task may end, but no other begins until `resume`. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (!this.#isRunning) this.#runNext();
  }

  #runNext(): void {
    this.#isRunning = false;
    if (this.#waiting.length === 0) this.onEmpty();
    else if (!this.#isPaused) {
      const { task, onDone } = this.#waiting.shift()!;
      this.#isRunning = true;
      this.#run(task, (error) => {
        onDone(error);
        this.#runNext();
      });
    }
  }
}

export function doNothing(): void {}
