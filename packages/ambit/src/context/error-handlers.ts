/** Adds error handlers to contexts, and finds the one that applies to a context. */

import { ErrorHandlerAlreadySet, ErrorHandlerNotFunction } from '../contract/errors.ts';
import type { ErrorHandler } from '../contract/handlers.ts';
import { warnErrorHandlerOverridden } from '../contract/warnings.ts';
import type { ContextNode } from './context-node.ts';
import { rejectGenerator } from './options/check-options.ts';
import { define } from './recorded-definitions.ts';

/** @throws {ErrorHandlerAlreadySet} if the context has one and the application does not allow a second. */
export function addErrorHandler(node: ContextNode, handler: ErrorHandler): void {
  const { errorHandlers, app } = node;
  if (typeof handler !== 'function') throw new ErrorHandlerNotFunction();
  rejectGenerator(handler, 'the error handler');
  if (errorHandlers.length > 0) {
    if (!app.options.allowErrorHandlerOverride) throw new ErrorHandlerAlreadySet();
    warnErrorHandlerOverridden(app.compatibility.messages);
  }
  errorHandlers.push({ handler, origin: define(node, 'errorHandler', 'errorHandler', handler) });
}

/** The handler that gets the errors of a context first, bound to the context that set it (specification 7.3). */
export function errorHandlerOf(node: ContextNode): ErrorHandler {
  for (let owner: ContextNode | undefined = node; owner !== undefined; owner = owner.parent) {
    const added = owner.errorHandlers.at(-1);
    if (added !== undefined) return added.handler.bind(owner.api);
  }
  return node.app.defaultErrorHandler;
}

/** Whether a context or one of its ancestors has an error handler of the application. */
export function hasErrorHandler(node: ContextNode): boolean {
  for (let owner: ContextNode | undefined = node; owner !== undefined; owner = owner.parent)
    if (owner.errorHandlers.length > 0) return true;
  return false;
}
