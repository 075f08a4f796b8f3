/** The error handlers and not-found handlers of contexts: how they are set, and which one applies. */
import {
  ErrorHandlerAlreadySet,
  ErrorHandlerNotFunction,
  NotFoundHandlerAlreadySet,
  OptionInvalid,
} from '../types/errors.ts';
import type { Compatibility } from '../types/flavor.ts';
import type { Handler } from '../types/hooks.ts';
import { warnErrorHandlerOverridden } from '../types/warnings.ts';
import type { NotFoundDetails } from './context-node.ts';
import {
  type ContextMethods,
  changeContext,
  type Definition,
  define,
  failAsSecond,
  nodeOf,
} from './definitions.ts';
import { checkRouteHooks } from './hooks.ts';
import {
  checkFunction,
  checkTypes,
  functionOrFalse,
  objectOrFalse,
  rejectGenerator,
} from './options/check-options.ts';
import { checkRouteOptions } from './routes/route-options.ts';

export const errorMethods: ContextMethods = {
  setErrorHandler(handler) {
    return changeContext(this, 'setErrorHandler', (node) => {
      const { settings, app } = node;
      if (typeof handler !== 'function') throw new ErrorHandlerNotFunction();
      rejectGenerator(app.compatibility, handler, 'the error handler');
      if (settings.errorHandler !== undefined) {
        const isFirst = ({ kind }: Definition): boolean => kind === 'errorHandler';
        if (!app.options.allowErrorHandlerOverride) failAsSecond(node, isFirst, new ErrorHandlerAlreadySet());
        warnErrorHandlerOverridden(app.compatibility.messages);
      }
      const outer = node.setting('errorHandler');
      const origin = define(node, 'errorHandler', 'errorHandler', handler);
      settings.errorHandler = { handler, origin, node, outer };
    });
  },

  /** The handler that gets the errors of a context first, bound to the context that set it (specification 7.3). */
  get errorHandler() {
    const node = nodeOf(this);
    const added = node.setting('errorHandler');
    return added === undefined ? node.app.defaultErrorHandler : added.handler.bind(added.node.api);
  },

  /** A URL space may have only one handler. Without a handler, the default one is set. */
  setNotFoundHandler(detailsOrHandler: unknown, handlerAfterDetails: unknown) {
    return changeContext(this, 'setNotFoundHandler', (node) => {
      const { compatibility, defaultNotFoundHandler } = node.app;
      const isHandler = typeof detailsOrHandler === 'function';
      const given = isHandler ? detailsOrHandler : handlerAfterDetails;
      const handler = (given || defaultNotFoundHandler) as Handler;
      checkFunction(handler, 'setNotFoundHandler');
      rejectGenerator(compatibility, handler, 'the not-found handler');
      const details = readDetails(isHandler ? {} : detailsOrHandler, compatibility);
      const owner = node.notFoundOwner;
      const url = owner.prefix || '/';
      const { notFound: known } = owner;
      if (known !== undefined) {
        const isFirst = ({ kind, value }: Definition): boolean =>
          kind === 'notFoundHandler' && value === known.target.handler;
        failAsSecond(known.node, isFirst, new NotFoundHandlerAlreadySet(url));
      }
      define(node, 'notFoundHandler', url, handler);
      owner.notFound = { node, details, target: { handler, plan: undefined } };
    });
  },
};

/** Checks the details, and returns them without falsy values. */
function readDetails(userDetails: unknown, compatibility: Compatibility): NotFoundDetails {
  const owner = 'setNotFoundHandler';
  const makeError = (problem: string): Error => OptionInvalid(owner, problem);
  const given = { options: userDetails };
  checkTypes(given, { options: objectOrFalse }, makeError, compatibility);
  const details = Object.fromEntries(Object.entries(given.options || {}).filter(([, value]) => value));
  checkTypes(details, { errorHandler: functionOrFalse }, makeError, compatibility);
  rejectGenerator(compatibility, details.errorHandler, 'the error handler');
  checkRouteOptions(details, owner, compatibility);
  checkRouteHooks(details, compatibility);
  return details;
}
