/** Lists the steps of a route as its plan has them, for tools that show why each runs. */

import type { DeclaredBy, RouteStep, StepPath } from '../../types/inspection.ts';
import type { AppFunction, Observer, PlanSteps, Step } from '../../types/plan.ts';
import type { DeclaredRoute } from '../../types/route-info.ts';
import { headReplyHook } from '../routes/head-route.ts';
import type { RouteRecord } from '../routes/route-record.ts';
import { declaredBy } from './list-plugins.ts';
import { recordOf } from './list-routes.ts';

/** The paths, in the order in which a request may take them. */
const stepPaths: readonly StepPath[] = [
  'request',
  'reply',
  'failure',
  'onResponse',
  'onTimeout',
  'onRequestAbort',
];

/** See `inspect.ts`. */
export function listSteps(route: DeclaredRoute): RouteStep[] {
  const record = recordOf(route);
  const { plan } = record.target;
  return plan === undefined ? [] : stepsOf(plan.steps, record);
}

function stepsOf(steps: PlanSteps, record: RouteRecord): RouteStep[] {
  return stepPaths.flatMap((path) =>
    steps[path].map((step: Step | Observer, index): RouteStep => {
      const { name, app } = step;
      // The handler is a step of the framework that calls a function of the application.
      const called = name === 'handler' ? record.options.handler : app?.declared;
      const from = originOf(name, app, record);
      return {
        path,
        index,
        name,
        function: from === 'framework' && called !== headReplyHook ? undefined : called,
        context: from === 'framework' ? undefined : app?.context,
        from,
        ...declarationOf(called, app, from, record),
      };
    }),
  );
}

const unknownDeclaration: DeclaredBy = { file: undefined, plugin: undefined };

/** The line and the plugin that declared a function: those of the hook if an `onRoute` hook added it. */
function declarationOf(
  called: unknown,
  app: AppFunction | undefined,
  from: RouteStep['from'],
  record: RouteRecord,
): DeclaredBy {
  if (app?.origin !== undefined) return declaredBy(app.origin);
  if (from === 'onRoute') {
    const origin = record.addedBy?.get(called);
    return origin === undefined ? unknownDeclaration : declaredBy(origin);
  }
  return from === 'route' ? declaredBy(record) : unknownDeclaration;
}

function originOf(name: string, app: AppFunction | undefined, record: RouteRecord): RouteStep['from'] {
  const { declared } = record;
  if (name === 'handler') {
    return declared !== undefined && declared.handler !== record.options.handler ? 'onRoute' : 'route';
  }
  if (app === undefined || app.declared === headReplyHook) return 'framework';
  if (!app.belongsToRoute) return app.origin === undefined ? 'framework' : 'context';
  if (declared === undefined) return 'route';
  const own: readonly unknown[] = [(declared as unknown as Record<string, unknown>)[name]].flat();
  return own.includes(app.declared) ? 'route' : 'onRoute';
}
