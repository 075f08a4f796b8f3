/** Adds error handlers to contexts, and finds the one that applies to a context. */

import { ErrorHandlerAlreadySet, ErrorHandlerNotFunction } from '../types/errors.ts';
import type { ErrorHandler } from '../types/hooks.ts';
import { warnErrorHandlerOverridden } from '../types/warnings.ts';
import type { ContextNode } from './context-node.ts';
import { rejectGenerator } from './options/check-options.ts';
import { declareOnce, define } from './recorded-definitions.ts';

/** @throws {ErrorHandlerAlreadySet} if the context has one and the application does not allow a second. */
export function addErrorHandler(node: ContextNode, handler: ErrorHandler): void {
  const { settings, app } = node;
  if (typeof handler !== 'function') throw new ErrorHandlerNotFunction();
  rejectGenerator(app.compatibility, handler, 'the error handler');
  if (settings.errorHandler !== undefined) {
    if (!app.options.allowErrorHandlerOverride) rejectSecond(node);
    warnErrorHandlerOverridden(app.compatibility.messages);
  }
  const outer = node.setting('errorHandler');
  const origin = define(node, 'errorHandler', 'errorHandler', handler);
  settings.errorHandler = { handler, origin, node, outer };
}

function rejectSecond(node: ContextNode): void {
  declareOnce(
    node,
    ({ kind }) => kind === 'errorHandler',
    () => {
      throw new ErrorHandlerAlreadySet();
    },
  );
}

/** The handler that gets the errors of a context first, bound to the context that set it (specification 7.3). */
export function errorHandlerOf(node: ContextNode): ErrorHandler {
  const added = node.setting('errorHandler');
  return added === undefined ? node.app.defaultErrorHandler : added.handler.bind(added.node.api);
}
