/** The methods of contexts for decorators; the tables are in `decorators.ts`. */
import { DecoratorAfterStart, DecoratorUndeclared } from '../../contract/errors.ts';
import { changeContext } from '../change-context.ts';
import { nodeOf } from '../context-node.ts';
import { type DecoratorName, decorateContext, hasContextDecorator } from '../decorators.ts';
import { define } from '../recorded-definitions.ts';
import type { ContextMethods } from './context-methods.ts';

const makeLateError = (name: string): Error => new DecoratorAfterStart(name);

export const decoratorMethods: ContextMethods = {
  decorate(name: DecoratorName, value?: unknown, dependencies?: unknown): object {
    return changeContext(
      this,
      String(name),
      (node) => {
        const { interceptors } = node.app;
        const intercepted = interceptors ? interceptors.decorate(name, value) : value;
        decorateContext(this, name, intercepted, dependencies);
        define(node, 'decorator', name, value);
      },
      makeLateError,
    );
  },

  decorateRequest(name: DecoratorName, value?: unknown, dependencies?: unknown): object {
    return changeContext(
      this,
      String(name),
      (node) => {
        node.requestDecorators.add(name, value, dependencies);
        define(node, 'requestDecorator', name, value);
      },
      makeLateError,
    );
  },

  decorateReply(name: DecoratorName, value?: unknown, dependencies?: unknown): object {
    return changeContext(
      this,
      String(name),
      (node) => {
        node.replyDecorators.add(name, value, dependencies);
        define(node, 'replyDecorator', name, value);
      },
      makeLateError,
    );
  },

  hasDecorator(name: DecoratorName): boolean {
    return hasContextDecorator(this, name);
  },

  hasRequestDecorator(name: DecoratorName): boolean {
    return nodeOf(this).requestDecorators.has(name);
  },

  hasReplyDecorator(name: DecoratorName): boolean {
    return nodeOf(this).replyDecorators.has(name);
  },

  getDecorator(name: DecoratorName): unknown {
    if (!(name in this))
      throw nodeOf(this).app.translateError(new DecoratorUndeclared(String(name), 'instance'));
    const value = (this as unknown as Record<DecoratorName, unknown>)[name];
    return typeof value === 'function' ? value.bind(this) : value;
  },
};
