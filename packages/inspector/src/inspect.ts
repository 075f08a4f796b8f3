/** `inspect` describes a booted application, and gives ids to its contexts, plugins, routes and steps. */
import { relative } from 'node:path';
import {
  type Context,
  type ContextDefinition,
  type DeclaredRoute,
  type InspectedContext,
  listAfterListeners,
  listContexts,
  listPlugins,
  listRoutes,
  listSteps,
  type RanAfterListener,
  type RegisteredPlugin,
  type RouteStep,
  recordDeclarationSites,
} from 'ambit';
import type {
  AfterListenerModel,
  ContextModel,
  DefinitionModel,
  Inspection,
  PluginModel,
  RouteModel,
  StepModel,
} from './model.ts';
import { copyAsJson, describeValue, functionName, readOwn } from './safe-value.ts';

// Recording begins at import, before the code of the application declares anything. In production, it begins with the first call, because
// it costs time.
if (process.env.NODE_ENV !== 'production') recordDeclarationSites();

/** Any context of an application. All functions of this package take one. */
export type Inspectable = Pick<Context, 'ready' | 'version' | 'pluginName'>;

/**
 * Boots an application, and describes it. The contexts and routes of the inspector itself are left out. Definitions and hooks have a line
 * (`file`) if they are declared after this package was imported; in production, after the first call of this function.
 *
 * @param app The root of the application, or the context that is described with its children.
 * @returns The model: plain data, which `JSON.stringify` can write. `modelSchema` is its JSON Schema.
 * @throws The first error of the boot.
 */
export async function inspect(app: Inspectable): Promise<Inspection> {
  recordDeclarationSites();
  await app.ready();
  return inspectBooted(app as Context).model;
}

/** The model of a booted application, and the routes behind its ids. */
export interface InspectedApplication {
  readonly model: Inspection;
  readonly routes: readonly DeclaredRoute[];
}

export function inspectBooted(app: Context): InspectedApplication {
  return new Builder(app).build();
}

class Builder {
  readonly #app: Context;
  readonly #contexts = new Map<Context, number>();
  readonly #plugins = new Map<RegisteredPlugin, number>();
  /** Contexts that the framework or a plugin of a tool of Ambit opened, and those below them. */
  readonly #ownContexts = new Set<Context>();
  readonly #steps = new StepTable();

  constructor(app: Context) {
    this.#app = app;
  }

  build(): InspectedApplication {
    const listed = listContexts(this.#app).filter(({ context }) => !isOwnContext(context));
    for (const { context } of listed) this.#contexts.set(context, this.#contexts.size);
    const listedPlugins = listPlugins(this.#app).filter(
      ({ parent, context }) => this.#contexts.has(parent) && this.#contexts.has(context),
    );
    for (const plugin of listedPlugins) this.#plugins.set(plugin, this.#plugins.size);
    this.#findOwnContexts(listed, listedPlugins);
    const listeners = listAfterListeners(this.#app).filter(({ context }) => this.#contexts.has(context));
    const originMs = Math.min(
      listedPlugins[0]?.startedAtMs ?? Number.POSITIVE_INFINITY,
      listeners[0]?.startedAtMs ?? Number.POSITIVE_INFINITY,
    );
    const plugins = listedPlugins.map((plugin) => this.#describePlugin(plugin, originMs));
    const afterListeners = listeners.map((listener) => this.#describeListener(listener, originMs));
    const contexts = listed.map(
      ({ context, parent, name, path, prefix, definitions }): ContextModel => ({
        id: this.#contexts.get(context)!,
        parent: (parent && this.#contexts.get(parent)) ?? null,
        name,
        path,
        prefix,
        plugins: plugins
          .filter((plugin) => plugin.context === this.#contexts.get(context))
          .map(({ id }) => id),
        definitions: definitions.map((definition) => this.#describeDefinition(definition)),
        isOwn: this.#ownContexts.has(context),
      }),
    );
    const routes = listRoutes(this.#app).filter(({ context }) => this.#contexts.has(context));
    const model: Inspection = {
      version: 1,
      framework: { name: frameworkName(this.#app), version: this.#app.version },
      node: process.version,
      folder: process.cwd(),
      bootMs: latestOf([
        ...plugins.map(({ loadedMs }) => loadedMs),
        ...afterListeners.map(({ endMs }) => endMs),
      ]),
      contexts,
      plugins,
      afterListeners,
      routes: routes.map((route, id) => this.#describeRoute(route, id)),
      steps: this.#steps.steps,
      stepLists: this.#steps.lists,
    };
    return { model, routes };
  }

  #findOwnContexts(contexts: readonly InspectedContext[], plugins: readonly RegisteredPlugin[]): void {
    const openers = new Map(
      plugins.filter(({ isHoisted }) => !isHoisted).map((each) => [each.context, each]),
    );
    // Parents come first, and the first context may be a part of a larger tree.
    for (const { context, parent } of contexts.slice(1)) {
      const opener = openers.get(context);
      // The framework opens contexts without a plugin: that of the probes.
      if (this.#ownContexts.has(parent!) || opener === undefined || isOwnPlugin(opener))
        this.#ownContexts.add(context);
    }
  }

  #describePlugin(plugin: RegisteredPlugin, originMs: number): PluginModel {
    return {
      id: this.#plugins.get(plugin)!,
      name: pluginName(plugin),
      isOwn: isOwnPlugin(plugin),
      isHoisted: plugin.isHoisted,
      parent: this.#contexts.get(plugin.parent)!,
      context: this.#contexts.get(plugin.context)!,
      registeredBy: this.#idOf(plugin.registeredBy),
      waitedFor: this.#idOf(plugin.waitedFor),
      file: plugin.file ?? null,
      startMs: roundMs(plugin.startedAtMs - originMs),
      endMs: roundMs(plugin.endedAtMs - originMs),
      idleMs: roundMs(plugin.idleMs),
      loadedMs: roundMs(plugin.loadedAtMs - originMs),
    };
  }

  #describeListener(listener: RanAfterListener, originMs: number): AfterListenerModel {
    return {
      name: functionName(listener.function) ?? shortLine(listener.file) ?? 'a listener without a name',
      context: this.#contexts.get(listener.context)!,
      plugin: this.#idOf(listener.plugin),
      file: listener.file ?? null,
      startMs: roundMs(listener.startedAtMs - originMs),
      endMs: roundMs(listener.endedAtMs - originMs),
      idleMs: roundMs(listener.idleMs),
    };
  }

  #idOf(plugin: RegisteredPlugin | undefined): number | null {
    return (plugin && this.#plugins.get(plugin)) ?? null;
  }

  #describeDefinition({ kind, name, value, file, plugin }: ContextDefinition): DefinitionModel {
    return {
      kind,
      name: kind === 'schema' ? schemaName(value) : String(name),
      value: describeValue(value),
      file: file ?? null,
      plugin: this.#idOf(plugin),
    };
  }

  #describeRoute(route: DeclaredRoute, id: number): RouteModel {
    const { context, method, url, isAutomatic, options, where } = route;
    const steps = listSteps(route);
    const handler = steps.find(({ name }) => name === 'handler');
    return {
      id,
      context: this.#contexts.get(context)!,
      methods: [method].flat(),
      url,
      constraints: constraintsOf(options.constraints),
      isAutomatic,
      isOwn:
        isAutomatic ||
        isOwnPlugin(handler?.plugin) ||
        this.#ownContexts.has(context) ||
        where.file === undefined,
      handler: functionName(options.handler, 'handler'),
      schemas: schemaParts(options.schema),
      file: where.file ?? null,
      plugin: this.#idOf(handler?.plugin),
      steps: this.#steps.addList(steps.map((step) => this.#describeStep(step))),
    };
  }

  #describeStep({
    path,
    index,
    name,
    function: stepFunction,
    from,
    context,
    plugin,
    file,
  }: RouteStep): StepModel {
    return {
      path,
      index,
      name,
      // The framework's own functions are not shown: the step of an automatic HEAD route is its only one.
      function: from === 'framework' ? null : functionName(stepFunction, name),
      isOwn: isOwnPlugin(plugin) || (from === 'framework' && stepFunction !== undefined),
      from,
      context: (context && this.#contexts.get(context)) ?? null,
      plugin: this.#idOf(plugin),
      file: file ?? null,
    };
  }
}

/** Whether a plugin, or the one that registered it, belongs to Ambit: plugins of its packages have their names. */
function isOwnPlugin(plugin: RegisteredPlugin | undefined): boolean {
  return plugin !== undefined && (plugin.name.startsWith('@ambit/') || isOwnPlugin(plugin.registeredBy));
}

/** The name of a plugin. One without a name has the line that registered it; `fastify-plugin` numbers those, which says nothing. */
function pluginName({ name, file }: RegisteredPlugin): string {
  const own = name.replace(/-auto-\d+$/, '');
  return own === 'anonymous' ? (shortLine(file) ?? 'a plugin without a name') : own;
}

/** `src/app.ts:12`, relative to the working directory. */
function shortLine(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const path = relative(process.cwd(), file.replace(/:\d+$/, ''));
  return path.startsWith('..') ? file.replace(/:\d+$/, '') : path;
}

/** Rounds to a microsecond. It is never negative, although plugins outside the described part of the tree may have begun earlier. */
function roundMs(ms: number): number {
  return Math.max(0, Math.round(ms * 1000) / 1000);
}

/** The latest time. `Math.max(...times)` would fail for very many times. */
function latestOf(times: readonly number[]): number {
  return times.reduce((last, time) => Math.max(last, time), 0);
}

function frameworkName(app: Context): string {
  return app.pluginName.split(' -> ')[0]!;
}

function schemaName(schema: unknown): string {
  const id = typeof schema === 'object' && schema !== null ? readOwn(schema, '$id') : undefined;
  return typeof id === 'string' ? id : describeValue(schema);
}

function constraintsOf(constraints: unknown): string | null {
  const copied = copyAsJson(constraints ?? {});
  const text = JSON.stringify(copied);
  return text === '{}' ? null : text;
}

const requestParts = ['params', 'body', 'querystring', 'headers'] as const;

/** The parts of a route that have a schema. */
function schemaParts(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const parts: string[] = requestParts.filter((part) => readOwn(schema, part) !== undefined);
  const response = readOwn(schema, 'response');
  if (typeof response !== 'object' || response === null) return parts;
  return [...parts, ...Object.keys(response).map((status) => `response ${status}`)];
}

class StepTable {
  readonly steps: StepModel[] = [];
  /** Ids of steps, in the order in which they run. */
  readonly lists: number[][] = [];
  readonly #stepIds = new Map<string, number>();
  readonly #listIds = new Map<string, number>();

  /** @returns The id of the list. */
  addList(steps: readonly StepModel[]): number {
    const ids = steps.map((step) => this.#add(step));
    const key = ids.join();
    let id = this.#listIds.get(key);
    if (id === undefined) {
      id = this.lists.push(ids) - 1;
      this.#listIds.set(key, id);
    }
    return id;
  }

  #add(step: StepModel): number {
    const { path, index, name, from, context, plugin, file, function: functionText } = step;
    // Only the last part can contain a line break. What else a step has follows from these.
    const key = [path, index, name, from, context, plugin, file, functionText].join('\n');
    let id = this.#stepIds.get(key);
    if (id === undefined) {
      id = this.steps.push(step) - 1;
      this.#stepIds.set(key, id);
    }
    return id;
  }
}

const own = new WeakSet<Context>();

export function markOwnContext(context: Context): void {
  own.add(context);
}

export function isOwnContext(context: Context): boolean {
  return own.has(context);
}
