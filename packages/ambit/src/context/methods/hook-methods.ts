/** The method of contexts that adds hooks; what it does is in `add-hook.ts`. */
import { addHook } from '../add-hook.ts';
import { changeContext } from '../change-context.ts';
import type { AnyHook } from '../hook-table.ts';
import type { ContextMethods } from './context-methods.ts';

export const hookMethods: ContextMethods = {
  addHook(name: string, hook: AnyHook): object {
    return changeContext(this, 'addHook', (node) => addHook(node, name, hook));
  },
};
