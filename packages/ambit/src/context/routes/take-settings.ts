/**
 * Decides which settings of its context a route has, in the same order as Fastify: those that are in effect when what was registered before
 * the route has loaded. A setting that comes later applies to later routes, and to contexts that are opened later.
 */
import type { Context } from '../../types/context.ts';
import type { ChildLoggerFactory } from '../../types/logger.ts';
import type { Step } from '../boot/loader.ts';
import { type ContextNode, childLoggerFactoryOf } from '../context-node.ts';
import type { RouteContextSettings, RouteRecord } from './route-record.ts';

interface DeclaredRoute {
  readonly node: ContextNode;
  readonly record: RouteRecord;
  /** The factory that its context had then. */
  readonly childLoggerFactory: ChildLoggerFactory<Context>;
}

/** Routes that were declared without a call of `register` or `after` between them: they take their settings together. */
interface Batch {
  readonly routes: DeclaredRoute[];
  /** How many steps were registered when the batch was created. A route that is declared after a further step needs another batch. */
  readonly end: number;
}

const batches = new WeakMap<Step, Batch>();

/** Sets the settings of a route, once everything that was registered so far has loaded. */
export function takeSettingsLater(node: ContextNode, record: RouteRecord): void {
  const { boot } = node.app;
  const { step } = boot;
  const route = { node, record, childLoggerFactory: childLoggerFactoryOf(node) };
  const last = batches.get(step);
  if (last?.end === step.added) {
    last.routes.push(route);
    return;
  }
  const batch: Batch = { routes: [route], end: step.added };
  batches.set(step, batch);
  boot.whenLoadedSoFar(() => {
    if (batches.get(step) === batch) batches.delete(step);
    for (const declared of batch.routes) declared.record.settings = takeSettings(declared);
  });
}

function takeSettings({ node, childLoggerFactory }: DeclaredRoute): RouteContextSettings {
  return node.app.compatibility.childLoggerFactoryFrom === 'declaration'
    ? settingsOf(node, childLoggerFactory)
    : settingsOf(node);
}

/** The settings that a route takes now. Routes with the same settings share the object. */
export function settingsOf(
  node: ContextNode,
  childLoggerFactory: ChildLoggerFactory<Context> = childLoggerFactoryOf(node),
): RouteContextSettings {
  const settings: RouteContextSettings = {
    errorHandler: node.setting('errorHandler'),
    replySerializer: node.setting('replySerializer'),
    formatProblems: node.setting('formatProblems'),
    errorFormat: node.setting('errorFormat'),
    childLoggerFactory,
  };
  const last = node.takenSettings;
  const names = Object.keys(settings) as (keyof RouteContextSettings)[];
  if (last !== undefined && names.every((name) => last[name] === settings[name])) return last;
  node.takenSettings = settings;
  return settings;
}
