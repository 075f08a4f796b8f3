/** Runs tasks when all data that arrived in this turn of the event loop has been read. */
import { setImmediate } from 'node:timers';

/** A task. It must not throw, because the other tasks of the turn run after it. */
type Task = () => void;

let tasks: Task[] = [];

/**
 * HOT: once per request with a body. One immediate runs all tasks of a turn. So a task runs in the async context of the first caller. That
 * is no problem, because a task settles a promise, and the code that awaits the promise has its own context.
 */
export function atEndOfTurn(task: Task): void {
  if (tasks.push(task) === 1) setImmediate(runTasks);
}

function runTasks(): void {
  const tasksToRun = tasks;
  tasks = [];
  for (const task of tasksToRun) task();
}
