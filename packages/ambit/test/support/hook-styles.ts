/** Makes hooks in both styles, for tests that must hold for either. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context, Done, RequestHookName } from 'ambit';

// Hooks of different phases differ in their parameters only: what these make fits each of them.
export type AnyHook = (this: Context, ...args: unknown[]) => unknown;

/** The position of `done` among the arguments of a hook that runs before the reply is sent. */
export const donePosition = {
  onRequest: 2,
  preParsing: 3,
  preValidation: 2,
  preHandler: 2,
  preSerialization: 3,
  onSend: 3,
} as const satisfies Partial<Record<RequestHookName, number>>;

/** Two (request, reply) or three (request, reply, payload) parameters before `done`. */
export function callbackHook(name: RequestHookName, run: (context: Context) => void): AnyHook {
  const two = function (this: Context, _request: unknown, _reply: unknown, done: Done) {
    run(this);
    done();
  };
  const three = function (this: Context, _request: unknown, _reply: unknown, _payload: unknown, done: Done) {
    run(this);
    done();
  };
  const takesPayload = ['preParsing', 'preSerialization', 'onSend', 'onError'].includes(name);
  return (takesPayload ? three : two) as AnyHook;
}

function promiseHook(_name: RequestHookName, run: (context: Context) => void): AnyHook {
  return async function (this: Context) {
    await nextTurn();
    run(this);
  };
}

export const styles = { callback: callbackHook, promise: promiseHook };

export const styleNames = ['callback', 'promise'] as const;

export function addHook(context: Context, name: RequestHookName, hook: AnyHook): void {
  context.addHook(name, hook as never);
}
