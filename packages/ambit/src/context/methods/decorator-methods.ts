/** The methods of contexts for decorators; the tables are in `decorators.ts`. */
import { DecoratorAfterStart, DecoratorUndeclared } from '../../types/errors.ts';
import type { DefinitionKind } from '../../types/inspection.ts';
import { changeContext } from '../change-context.ts';
import { type ContextNode, nodeOf } from '../context-node.ts';
import { type DecoratorName, decorateContext, hasContextDecorator } from '../decorators.ts';
import { declareOnce, define } from '../recorded-definitions.ts';
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
        once(node, 'decorator', name, () => decorateContext(this, name, intercepted, dependencies));
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
        once(node, 'requestDecorator', name, () => node.requestDecorators.add(name, value, dependencies));
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
        once(node, 'replyDecorator', name, () => node.replyDecorators.add(name, value, dependencies));
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

function once(node: ContextNode, kind: DefinitionKind, name: DecoratorName, decorate: () => void): void {
  declareOnce(node, (definition) => definition.kind === kind && definition.name === name, decorate);
}
