/** The methods of contexts for health. */
import type { ReadinessCheckFunction, ReadinessCheckOptions } from '../../types/feature-options.ts';
import { changeContext } from '../change-context.ts';
import { addReadinessCheck } from '../health/add-readiness-check.ts';
import type { ContextMethods } from './context-methods.ts';

export const healthMethods: ContextMethods = {
  addReadinessCheck(name: string, check: ReadinessCheckFunction, options?: ReadinessCheckOptions): object {
    return changeContext(this, 'addReadinessCheck', (node) => addReadinessCheck(node, name, check, options));
  },
};
