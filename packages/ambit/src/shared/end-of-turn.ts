/** Runs work once everything that this turn of the event loop brought has been read. */
import { setImmediate } from 'node:timers';

/** Must not throw: the others of the turn come after it. */
type Task = () => void;

let tasks: Task[] = [];

/**
 * HOT: once per request with a body. One immediate serves all tasks of a turn. A task runs in the async context of whoever asked
 * first: it settles a promise, which takes up its own.
 */
export function atEndOfTurn(task: Task): void {
  if (tasks.push(task) === 1) setImmediate(runTasks);
}

function runTasks(): void {
  const due = tasks;
  tasks = [];
  for (const task of due) task();
}
