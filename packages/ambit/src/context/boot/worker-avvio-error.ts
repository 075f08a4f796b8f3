/** Stands in for `@fastify/error`, which avvio makes its errors with: on workers too, boot turns each of them into one of ours by its code. */
import { format } from 'node:util';

export function createError(code: string, message: string): new (...args: unknown[]) => Error {
  return class extends Error {
    readonly code = code;

    constructor(...args: unknown[]) {
      super(format(message, ...args));
    }
  };
}
