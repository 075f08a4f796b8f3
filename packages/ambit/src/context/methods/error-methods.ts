/** The methods of contexts for errors, logs and the ids of requests. */
import type { Context } from '../../types/context.ts';
import { OptionInvalid } from '../../types/errors.ts';
import type { ErrorHandler } from '../../types/hooks.ts';
import type { ChildLoggerFactory } from '../../types/logger.ts';
import type { ErrorFormat } from '../../types/problem.ts';
import type { AllowedResponses } from '../../types/route-types.ts';
import { changeContext } from '../change-context.ts';
import { childLoggerFactoryOf, errorFormatOf, nodeOf } from '../context-node.ts';
import { addErrorHandler, errorHandlerOf } from '../error-handlers.ts';
import { checkFunction, passes } from '../options/check-options.ts';
import { define } from '../recorded-definitions.ts';
import type { ContextMethods } from './context-methods.ts';

export const errorMethods: ContextMethods = {
  setErrorHandler(handler: ErrorHandler): object {
    return changeContext(this, 'setErrorHandler', (node) => addErrorHandler(node, handler));
  },

  get errorHandler(): ErrorHandler {
    return errorHandlerOf(nodeOf(this));
  },

  setErrorFormat(format: ErrorFormat): object {
    return changeContext(this, 'setErrorFormat', (node) => {
      checkErrorFormat(format);
      node.settings.errorFormat = format;
      define(node, 'setting', 'errorFormat', format);
    });
  },

  get errorFormat(): ErrorFormat {
    return errorFormatOf(nodeOf(this));
  },

  setResponses(responses: AllowedResponses): object {
    return changeContext(this, 'setResponses', (node) => {
      checkResponses(responses);
      node.settings.responses = responses;
      define(node, 'setting', 'responses', responses);
    });
  },

  setChildLoggerFactory(factory: ChildLoggerFactory<Context>): object {
    return changeContext(this, 'setChildLoggerFactory', (node) => {
      if (!passes(node.app.compatibility, () => checkFunction(factory, 'setChildLoggerFactory'))) return;
      node.settings.childLoggerFactory = factory;
      define(node, 'setting', 'childLoggerFactory', factory);
    });
  },

  get childLoggerFactory(): ChildLoggerFactory<Context> {
    return childLoggerFactoryOf(nodeOf(this));
  },

  setGenReqId(generate: (rawRequest: never) => string): object {
    return changeContext(this, 'setGenReqId', (node) => {
      if (generate && !passes(node.app.compatibility, () => checkFunction(generate, 'setGenReqId'))) return;
      node.settings.makeRequestId = generate || node.app.defaultRequestId;
      define(node, 'setting', 'genReqId', generate);
    });
  },

  get genReqId(): (rawRequest: never) => string {
    const node = nodeOf(this);
    return node.setting('makeRequestId') ?? node.app.defaultRequestId;
  },
};

function checkResponses(responses: unknown): void {
  if (responses === 'declared' || responses === 'any') return;
  const received = JSON.stringify(responses) ?? typeof responses;
  throw new OptionInvalid('setResponses', `must be 'declared' or 'any', instead got ${received}`);
}

function checkErrorFormat(format: unknown): void {
  if (format === 'json' || format === 'problem') return;
  const received = JSON.stringify(format) ?? typeof format;
  throw new OptionInvalid('setErrorFormat', `must be 'json' or 'problem', instead got ${received}`);
}
