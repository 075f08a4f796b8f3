/** Rejects applications that call `listen` while their module loads, because the command decides where they listen. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Context } from 'ambit';
import { CommandError } from '../command-error.ts';
import { locationInProgram } from './error-location.ts';

/** Published for each application, by `ambit`, by the facade and by Fastify itself. */
const initialization = 'fastify.initialization';

/**
 * Runs a function in which no application may listen.
 *
 * @param onCreated Called with each application, before its first declaration.
 * @throws {CommandError} if an application has called `listen`, even if it handled the error.
 */
export async function withoutListening<Result>(
  displayPath: string,
  onCreated: (app: Context) => void,
  load: () => Promise<Result>,
): Promise<Result> {
  const calls: CommandError[] = [];
  const restored: (() => void)[] = [];
  const refuse = (message: unknown): void => {
    const app = (message as { fastify: Context }).fastify;
    onCreated(app);
    restored.push(replaceListen(app, (location) => calls.push(listenError(location ?? displayPath))));
  };
  // An application may end the process if it cannot listen. Then this message is printed last.
  const onExit = (): void => {
    if (calls.length > 0) console.error(`ambit: ${calls[0]!.message}`);
  };
  subscribe(initialization, refuse);
  process.once('exit', onExit);
  try {
    const result = await load();
    if (calls.length > 0) throw calls[0];
    return result;
  } catch (error) {
    throw calls[0] ?? error;
  } finally {
    unsubscribe(initialization, refuse);
    process.off('exit', onExit);
    for (const restore of restored) restore();
  }
}

function listenError(location: string): CommandError {
  return new CommandError({
    file: location,
    problem: 'the module calls `listen` while it is imported',
    remedy:
      'Remove the call: `ambit dev` and `ambit start` listen. Or call it only if the file is the main module.',
  });
}

/** @returns A function that restores the method. */
function replaceListen(app: Context, onCall: (location: string | undefined) => void): () => void {
  const before = Object.getOwnPropertyDescriptor(app, 'listen');
  const listen = (...args: unknown[]): unknown => {
    onCall(locationInProgram(new Error('listen')));
    const error = new Error('the application must not listen while the ambit command loads it');
    const callback = args.at(-1);
    if (typeof callback === 'function') return callback(error, '');
    const refused = Promise.reject(error);
    // The application may not await it.
    refused.catch(() => {});
    return refused;
  };
  Object.defineProperty(app, 'listen', { value: listen, configurable: true, writable: true });
  return () => {
    if (before === undefined) Reflect.deleteProperty(app, 'listen');
    else Object.defineProperty(app, 'listen', before);
  };
}
