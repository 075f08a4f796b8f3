/** The methods of contexts for overload protection. */

import { lazyModule, require } from '../../shared/lazy-module.ts';
import { OptionInvalid } from '../../types/errors.ts';
import type { OverloadOptions } from '../../types/feature-options.ts';
import { changeContext } from '../change-context.ts';
import { define } from '../recorded-definitions.ts';
import type { ContextMethods } from './context-methods.ts';

const loadOverload = lazyModule<typeof import('../options/check-overload-options.ts')>(() =>
  require('../options/check-overload-options.ts'),
);

export const overloadMethods: ContextMethods = {
  setOverload(options: OverloadOptions | boolean): object {
    return changeContext(this, 'setOverload', (node) => {
      const { resolveOverload } = loadOverload();
      node.settings.overload = resolveOverload(options, (problem) => OptionInvalid('setOverload', problem));
      define(node, 'setting', 'overload', options);
    });
  },
};
