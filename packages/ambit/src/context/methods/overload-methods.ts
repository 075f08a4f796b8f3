/** The methods of contexts for overload protection. */
import { OptionInvalid } from '../../contract/errors.ts';
import type { OverloadOptions } from '../../contract/overload.ts';
import { changeContext } from '../change-context.ts';
import { define } from '../definitions.ts';
import { resolveOverload } from '../options/check-overload-options.ts';
import type { ContextMethods } from './context-methods.ts';

export const overloadMethods: ContextMethods = {
  setOverload(options: OverloadOptions | boolean): object {
    return changeContext(this, 'setOverload', (node) => {
      node.settings.overload = resolveOverload(options, (problem) => OptionInvalid('setOverload', problem));
      define(node, 'setting', 'overload', options);
    });
  },
};
