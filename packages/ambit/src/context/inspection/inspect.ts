/** The functions with which tools inspect and watch an application. */
import { createRequire } from 'node:module';
import type { ErrorPlace } from '../../shared/call-site.ts';
import { lazyModule } from '../../shared/lazy-module.ts';
import type { SchemaDialect } from '../../types/compilers.ts';
import type { Context } from '../../types/context.ts';
import { AlreadyStarted } from '../../types/errors.ts';
import type { OverloadState } from '../../types/feature-options.ts';
import type {
  CompiledSchemaInfo,
  ContextDefinition,
  DeclaredBy,
  InspectedContext,
  Origin,
  RanAfterListener,
  RegisteredPlugin,
  RequestWatcher,
  RouteStep,
  SerializationChange,
} from '../../types/inspection.ts';
import type { AppFunction, Observer, Step } from '../../types/plan.ts';
import type { DeclaredRoute, RegisteredRoute } from '../../types/route-info.ts';
import type { BootStep } from '../boot/loader.ts';
import type { Registration } from '../boot/plugins.ts';
import type { ContextNode } from '../context-node.ts';
import { changeContext, nodeOf } from '../definitions.ts';
import { headReplyHook, type RouteRecord } from '../routes/add-route.ts';

const require = createRequire(import.meta.url);

const loadCompiledSchemas = lazyModule<typeof import('./compiled-schemas.ts')>(() =>
  require('./compiled-schemas.ts'),
);

/**
 * Lists the plugins of an application, in the order in which they were called.
 *
 * @param app Any context of the application.
 * @returns One entry for each call of `register`. The list is complete once the application is ready.
 */
export function listPlugins(app: Context): RegisteredPlugin[] {
  const plugins: ListedPlugin[] = [];
  const lastByStep = new Map<object, ListedPlugin>();
  for (const registration of nodeOf(app).app.boot.registrations) {
    if (registration.context === undefined) continue;
    const listed = Object.assign(listedPlugin(registration), timesOf(registration.runStep!));
    listed.loadedAtMs = listed.endedAtMs;
    listed.waitedFor = lastByStep.get(registration.step);
    lastByStep.set(registration.step, listed);
    plugins.push(listed);
  }
  for (const { plugin, endedAtMs } of listAfterListeners(app)) extendLoading(plugin, endedAtMs);
  for (const { registeredBy, loadedAtMs } of plugins.toReversed()) extendLoading(registeredBy, loadedAtMs);
  return plugins;
}

/** What a plugin has added loads as a part of it. */
function extendLoading(plugin: RegisteredPlugin | undefined, untilMs: number): void {
  const listed = plugin as ListedPlugin | undefined;
  if (listed !== undefined) listed.loadedAtMs = Math.max(listed.loadedAtMs, untilMs);
}

type ListedPlugin = { -readonly [Name in keyof RegisteredPlugin]: RegisteredPlugin[Name] };

const listedPlugins = new WeakMap<Registration, ListedPlugin>();

/** The getters read what the plugin may still change, and what must be taken from a stack trace. */
function listedPlugin(registration: Registration): ListedPlugin {
  const known = listedPlugins.get(registration);
  if (known !== undefined) return known;
  const { runStep } = registration;
  const parent = registration.parent!.api;
  const listed: ListedPlugin = {
    name: String(registration.names!.inPath),
    function: registration.fn,
    parent,
    get context() {
      return registration.context!;
    },
    get isHoisted() {
      return parent === registration.context;
    },
    get registeredBy() {
      return ownerOf(registration);
    },
    waitedFor: undefined,
    get file() {
      return registration.site.file;
    },
    ...timesOf(runStep!),
    loadedAtMs: timesOf(runStep!).endedAtMs,
  };
  listedPlugins.set(registration, listed);
  return listed;
}

/** When the code of a step ran. Until it has ended, its end is its start. */
function timesOf({ startedAtMs, codeEndedAtMs = startedAtMs, idleMs }: BootStep) {
  return { startedAtMs, endedAtMs: codeEndedAtMs, idleMs };
}

function ownerOf({ step }: Pick<Origin, 'step'>): ListedPlugin | undefined {
  const owner = step.owner as Registration | undefined;
  return owner && listedPlugin(owner);
}

/**
 * Lists the listeners that the application passed to `after`, in the order in which they ran.
 *
 * @param app Any context of the application.
 * @returns One entry for each call of `after` with a listener that has run. The list is complete once the application is ready.
 */
export function listAfterListeners(app: Context): RanAfterListener[] {
  return nodeOf(app)
    .app.boot.afterListeners.filter(({ runStep }) => runStep.startedAtMs > 0)
    .map((added) => ({
      function: added.listener,
      context: added.context,
      ...timesOf(added.runStep),
      ...declaredBy(added),
    }))
    .sort((a, b) => a.startedAtMs - b.startedAtMs);
}

/** The line and the plugin that declared something. */
function declaredBy(origin: Origin): DeclaredBy {
  return { file: origin.site?.file, plugin: ownerOf(origin) };
}

/**
 * Lists a context and everything below it, with what each context defines itself.
 *
 * @param context Any context; the root for all.
 * @returns The contexts, parents first, siblings in order. The list is complete once the application is ready.
 */
export function listContexts(context: Context): InspectedContext[] {
  return [...nodeOf(context).descendants()].map((node) => ({
    context: node.api,
    parent: node.parent?.api,
    prefix: node.prefix,
    get name() {
      return node.name;
    },
    get path() {
      return node.path;
    },
    get definitions() {
      return node.definitions.map(
        ({ kind, name, value, ...origin }): ContextDefinition => ({
          kind,
          name,
          value,
          get file() {
            return origin.site?.file;
          },
          get plugin() {
            return ownerOf(origin);
          },
        }),
      );
    },
  }));
}

/**
 * Lists the routes of a context and of its children.
 *
 * @param context Any context; the root for all routes.
 * @returns The routes, parents first, in the order of declaration. The list is complete once the application is ready.
 */
export function listRoutes(context: Context): DeclaredRoute[] {
  return [...nodeOf(context).descendants()].flatMap(({ routes }) =>
    routes.map((record) => new ListedRoute(record)),
  );
}

class ListedRoute implements DeclaredRoute {
  readonly url: string;
  readonly method: string | string[];
  readonly options: RegisteredRoute;
  readonly context: Context;
  readonly isAutomatic: boolean;
  readonly #record: RouteRecord;

  constructor(record: RouteRecord) {
    this.url = record.url;
    this.method = record.options.method;
    this.options = record.options;
    this.context = record.node.api;
    this.isAutomatic = record.isAutomatic;
    this.#record = record;
  }

  get record(): RouteRecord {
    return this.#record;
  }

  get dialect(): SchemaDialect {
    return this.#record.node.app.options.ajv.dialect ?? 'draft-07';
  }

  get hasErrorHandler(): boolean {
    const { settings, node } = this.#record;
    const { errorHandler } = settings ?? node.settingsForRoutes();
    return (this.options.errorHandler ?? errorHandler) !== undefined;
  }

  // Made on demand: the file is read from a stack trace.
  get where(): ErrorPlace {
    const route = `${[this.method].flat().join(',')} ${this.url}`;
    return { plugin: this.#record.node.path, route, file: this.#record.site.file };
  }
}

/** The paths, in the order in which a request may take them. */
const stepPaths = ['request', 'reply', 'failure', 'onResponse', 'onTimeout', 'onRequestAbort'] as const;

/**
 * Lists the steps that requests of a route may run, path by path, in the order in which they run.
 *
 * @param route A route that `listRoutes` returned.
 * @returns The steps; none before the application is ready.
 */
export function listSteps(route: DeclaredRoute): RouteStep[] {
  const { record } = route as ListedRoute;
  const { plan } = record.target;
  if (plan === undefined) return [];
  return stepPaths.flatMap((path) =>
    plan.steps[path].map((step: Step | Observer, index): RouteStep => {
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

/**
 * Lists the compiled schemas of a route, those of the request first. Code that the first request would generate is generated now.
 *
 * @param route A route that `listRoutes` returned.
 * @returns One entry for each schema; none before the application is ready.
 */
export function listCompiledSchemas(route: DeclaredRoute): CompiledSchemaInfo[] {
  const { record } = route as ListedRoute;
  const { schema } = record.options;
  if (record.target.plan === undefined || !schema) return [];
  return loadCompiledSchemas().listSchemas(record, schema);
}

/**
 * Watches each step of each request of an application. Without a watcher, plans contain no code for it.
 *
 * @param app Any context of the application.
 * @param watcher Called with each step when it begins, and with the end of each response.
 * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application is ready: its plans are compiled by then.
 */
export function watchRequests(app: Context, watcher: RequestWatcher): void {
  beforeBoot(app, 'watchRequests', (node) => node.app.server.watchers.push(watcher));
}

/**
 * Reports what the default serializers change in values: properties that they drop, values that they write as another type, defaults
 * that they write. Each change is reported once per response schema. With a listener, each value is read twice.
 *
 * @param app Any context of the application.
 * @param listener Called with each change.
 * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application is ready: its serializers are compiled by then.
 */
export function watchSerialization(app: Context, listener: (change: SerializationChange) => void): void {
  beforeBoot(app, 'watchSerialization', (node) => node.app.serializationListeners.push(listener));
}

function beforeBoot(app: Context, call: string, change: (node: ContextNode) => void): void {
  changeContext(app, call, (node) => {
    if (node.app.boot.isLoaded) throw new AlreadyStarted(`Cannot call "${call}"!`);
    change(node);
  });
}

/**
 * Returns the current state of the overload protection of a context, for metrics.
 *
 * @param context Any context of an application that has booted.
 * @returns A copy of the state; `undefined` if the context has no protection.
 */
export function overloadState(context: Context): OverloadState | undefined {
  return nodeOf(context).admissionController?.state;
}
