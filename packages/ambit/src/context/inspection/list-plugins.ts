/** Lists the plugins of an application with their times, for tools that show how it booted. */
import type { CallSite, ErrorPlace } from '../../shared/call-site.ts';
import type { Context } from '../../types/context.ts';
import type {
  ContextDefinition,
  DeclaredBy,
  DefinitionKind,
  InspectedContext,
  Origin,
  RanAfterListener,
  RegisteredPlugin,
} from '../../types/inspection.ts';
import type { Definition } from '../app-state.ts';
import type { PluginPlacement, Registration } from '../boot/plugins.ts';
import { type ContextNode, nodeOf } from '../context-node.ts';

/** See `inspect.ts`. */
export function listPlugins(app: Context): RegisteredPlugin[] {
  const plugins: ListedPlugin[] = [];
  const lastByStep = new Map<object, ListedPlugin>();
  for (const registration of nodeOf(app).app.boot.registrations) {
    if (registration.placement?.context === undefined) continue;
    const listed = listedPlugin(registration);
    listed.waitedFor = lastByStep.get(registration.step);
    lastByStep.set(registration.step, listed);
    plugins.push(listed);
  }
  for (const { plugin, endedAtMs } of listAfterListeners(app)) {
    const registeredBy = plugin as ListedPlugin | undefined;
    if (registeredBy !== undefined) registeredBy.loadedAtMs = Math.max(registeredBy.loadedAtMs, endedAtMs);
  }
  for (const listed of plugins.toReversed()) {
    const { registeredBy, loadedAtMs } = listed;
    if (registeredBy !== undefined) registeredBy.loadedAtMs = Math.max(registeredBy.loadedAtMs, loadedAtMs);
  }
  return plugins;
}

/** See `inspect.ts`. */
export function listAfterListeners(app: Context): RanAfterListener[] {
  return nodeOf(app)
    .app.boot.afterListeners.flatMap((added) => {
      const { listener, context, startedAtMs, endedAtMs = startedAtMs } = added;
      if (startedAtMs === undefined) return [];
      return [{ function: listener, context, startedAtMs, endedAtMs: endedAtMs!, ...declaredBy(added) }];
    })
    .sort((a, b) => a.startedAtMs - b.startedAtMs);
}

const places = new WeakMap<CallSite, string | undefined>();

/** The line of a call. It is read from the stack trace once, because many steps of routes share one call. */
export function placeOf(site: CallSite | undefined): string | undefined {
  if (site === undefined) return undefined;
  if (!places.has(site)) places.set(site, site.location);
  return places.get(site);
}

/** The line and the plugin that declared something, as tools see them. */
export function declaredBy({ site, step }: Origin): DeclaredBy {
  const owner = step.owner as Registration | undefined;
  return { file: placeOf(site), plugin: owner && listedPlugin(owner) };
}

const listedPlugins = new WeakMap<Registration, ListedPlugin>();

function listedPlugin(registration: Registration): ListedPlugin {
  let plugin = listedPlugins.get(registration);
  if (plugin === undefined) {
    plugin = new ListedPlugin(registration);
    listedPlugins.set(registration, plugin);
  }
  return plugin;
}

class ListedPlugin implements RegisteredPlugin {
  waitedFor: ListedPlugin | undefined = undefined;
  loadedAtMs: number;
  readonly #registration: Registration;

  constructor(registration: Registration) {
    this.#registration = registration;
    this.loadedAtMs = this.endedAtMs;
  }

  get #placement(): PluginPlacement {
    return this.#registration.placement!;
  }

  get name(): string {
    return String(this.#placement.label);
  }

  get function(): RegisteredPlugin['function'] {
    return this.#registration.plugin;
  }

  get isHoisted(): boolean {
    return this.parent === this.context;
  }

  get parent(): Context {
    return this.#placement.parent;
  }

  get context(): Context {
    return this.#placement.context!;
  }

  get registeredBy(): ListedPlugin | undefined {
    const owner = this.#registration.step.owner as Registration | undefined;
    return owner && listedPlugin(owner);
  }

  get file(): ErrorPlace['file'] {
    return placeOf(this.#registration.site);
  }

  get startedAtMs(): number {
    return this.#registration.startedAtMs ?? 0;
  }

  get endedAtMs(): number {
    return this.#registration.endedAtMs ?? this.startedAtMs;
  }
}

/** See `inspect.ts`. */
export function listContexts(context: Context): InspectedContext[] {
  return [...nodeOf(context).descendants()].map((node) => new ListedContext(node));
}

class ListedContext implements InspectedContext {
  readonly #node: ContextNode;

  constructor(node: ContextNode) {
    this.#node = node;
  }

  get context(): Context {
    return this.#node.api;
  }

  get parent(): Context | undefined {
    return this.#node.parent?.api;
  }

  get name(): string {
    return this.#node.name;
  }

  get path(): string {
    return this.#node.path;
  }

  get prefix(): string {
    return this.#node.prefix;
  }

  get definitions(): ContextDefinition[] {
    return this.#node.definitions.map((definition) => new ListedDefinition(definition));
  }
}

class ListedDefinition implements ContextDefinition {
  readonly kind: DefinitionKind;
  readonly name: string | symbol;
  readonly value: unknown;
  readonly #definition: Definition;

  constructor(definition: Definition) {
    this.kind = definition.kind;
    this.name = definition.name;
    this.value = definition.value;
    this.#definition = definition;
  }

  // Made on demand: the file is read from a stack trace.
  get file(): string | undefined {
    return this.#definition.site?.location;
  }

  get plugin(): ContextDefinition['plugin'] {
    return declaredBy(this.#definition).plugin;
  }
}
