/** One node of the encapsulation tree: the tables that a context owns, and the parent it reads the rest from. */
import type { RouteTarget } from '../routing/router.ts';
import { SchemaRegistry } from '../schemas/schema-registry.ts';
import { bodylessMethods, bodyMethods } from '../shared/http-facts.ts';
import type { SchemaErrorFormatter } from '../types/compilers.ts';
import type { Context } from '../types/context.ts';
import type { OverloadSettings, OverloadState } from '../types/feature-options.ts';
import type { ErrorHandler, RequestHook } from '../types/hooks.ts';
import type { Origin } from '../types/inspection.ts';
import type { ChildLoggerFactory, LogSerializers } from '../types/logger.ts';
import type { ErrorFormat } from '../types/problems.ts';
import type { AllowedResponses } from '../types/route-types.ts';
import type { AppState } from './app-state.ts';
import type { BootStep } from './boot/loader.ts';
import type { DisplayName } from './boot/plugins.ts';
import { DecoratorTable } from './decorators.ts';
import { attachNode, type Definition } from './definitions.ts';
import type { ReadinessCheck } from './health.ts';
import { type AddedHook, countAddedHooks, type StoredHookName } from './hooks.ts';
import { defaultChildLoggerFactory } from './loggers.ts';
import { ParserTable } from './parsers.ts';
import type { RouteRecord } from './routes/add-route.ts';

export class ContextNode {
  readonly app: AppState;
  readonly parent: ContextNode | undefined;
  readonly children: ContextNode[] = [];
  /** The object that plugins get. */
  readonly api: Context;
  /** The last name in `path`. */
  readonly #nameInPath: DisplayName;
  /** The plugin that opened this context, then those hoisted into it, as `pluginName` shows them. */
  readonly pluginNames: DisplayName[];
  readonly prefix: string;
  /** `undefined` while it has the same methods as its parent. */
  #methods: ReadonlyMap<string, boolean> | undefined;
  readonly requestDecorators: DecoratorTable;
  readonly replyDecorators: DecoratorTable;
  readonly parsers: ParserTable;
  readonly schemas: SchemaRegistry;
  readonly settings: ContextSettings = {};
  /** What its last route has taken of the settings that apply here. */
  #takenSettings: RouteContextSettings | undefined = undefined;
  readonly routes: RouteRecord[] = [];
  readonly #hooks = new Map<StoredHookName, AddedHook[]>();
  /** How many hooks had been added when it was opened: of its ancestors' `onRoute` hooks, it has these. */
  readonly #openedAt = countAddedHooks();
  /** The ancestor whose overload protection applied when it was opened; `undefined` if there was none. */
  readonly overloadFrom: ContextNode | undefined;
  /** What was defined on this context, in order. */
  readonly definitions: Definition[] = [];
  /** Counts the requests of its routes. Set when boot compiles them; `undefined` without overload protection. */
  admissionController: { readonly state: OverloadState } | undefined = undefined;
  readonly readinessChecks: ReadinessCheck[] = [];
  /**
   * Whether its routes answer probes: no hook or error handler of the application runs for them, their requests are not logged, and they
   * are answered while the application closes.
   */
  servesProbes = false;
  notFound: NotFoundRecord | undefined = undefined;
  /** The step of boot that loads the plugin which opened it; `undefined` for the root. */
  loading: BootStep | undefined = undefined;
  /** Names of plugins registered here, visible below. */
  readonly registered: Set<string> = new Set();
  /** The context whose URL space a not-found handler set here covers: the nearest that adds a prefix, or the root. */
  readonly notFoundOwner: ContextNode;

  constructor(
    app: AppState,
    api: Context,
    { inPluginName, inPath }: { readonly inPluginName: DisplayName; readonly inPath: DisplayName },
    parent?: ContextNode,
    prefix?: string,
  ) {
    attachNode(api, this);
    this.app = app;
    this.api = api;
    this.#nameInPath = inPath;
    this.pluginNames = [inPluginName];
    this.parent = parent;
    this.prefix = joinPrefix(parent?.prefix ?? '', prefix);
    this.notFoundOwner = parent === undefined || prefix ? this : parent.notFoundOwner;
    this.requestDecorators = new DecoratorTable(parent?.requestDecorators ?? app.requestBase);
    this.replyDecorators = new DecoratorTable(parent?.replyDecorators ?? app.replyBase);
    if (parent === undefined) this.#methods = defaultMethods;
    const { overload } = parent?.settings ?? {};
    if (overload === undefined) this.overloadFrom = parent?.overloadFrom;
    else this.overloadFrom = overload === false ? undefined : parent;
    this.parsers = new ParserTable(parent?.parsers);
    this.schemas =
      parent?.schemas.child() ??
      new SchemaRegistry(app.compilerFactories, app.options.userOptions.schemaController);
    parent?.children.push(this);
  }

  /** The plugin that opened it. */
  get name(): string {
    return String(this.#nameInPath);
  }

  /** The plugins from the root to here: `ambit > users > admin`. */
  get path(): string {
    const names: string[] = [];
    for (let node: ContextNode | undefined = this; node !== undefined; node = node.parent)
      names.push(String(node.#nameInPath));
    return names.reverse().join(' > ');
  }

  /** The nearest value of a setting, from here to the root. */
  setting<Name extends keyof ContextSettings>(name: Name): ContextSettings[Name] {
    for (let node: ContextNode | undefined = this; node !== undefined; node = node.parent) {
      const value = node.settings[name];
      if (value !== undefined) return value;
    }
    return undefined as ContextSettings[Name];
  }

  /** The HTTP methods that it supports, and whether the body of their requests is read. */
  get methods(): ReadonlyMap<string, boolean> {
    let node: ContextNode = this;
    while (node.#methods === undefined) node = node.parent!;
    return node.#methods;
  }

  /** Adds a method to this context and the contexts below it. */
  addMethod(method: string, hasBody: boolean): void {
    this.#methods = new Map(this.methods).set(method, hasBody);
  }

  /** The not-found handler that applies to its URL space. Requests that no other handler answers get the default one of the root. */
  get notFoundHandler(): NotFoundRecord {
    let owner = this.notFoundOwner;
    while (owner.notFound === undefined && owner.parent !== undefined) owner = owner.parent.notFoundOwner;
    const target = { handler: this.app.defaultNotFoundHandler, plan: undefined };
    owner.notFound ??= { node: owner, details: {}, target };
    return owner.notFound;
  }

  /** The settings that a route takes now. Routes with the same settings share the object. */
  settingsForRoutes(
    childLoggerFactory: ChildLoggerFactory<Context> = childLoggerFactoryOf(this),
  ): RouteContextSettings {
    const settings: RouteContextSettings = {
      errorHandler: this.setting('errorHandler'),
      replySerializer: this.setting('replySerializer'),
      formatProblems: this.setting('formatProblems'),
      errorFormat: this.setting('errorFormat'),
      childLoggerFactory,
    };
    const last = this.#takenSettings;
    const names = Object.keys(settings) as (keyof RouteContextSettings)[];
    if (last !== undefined && names.every((name) => last[name] === settings[name])) return last;
    this.#takenSettings = settings;
    return settings;
  }

  /** The hooks that apply to this context, its own and its ancestors', in the order in which they were added. */
  addedHooks(name: StoredHookName): AddedHook[] {
    const hooks: AddedHook[] = [];
    let before = Number.POSITIVE_INFINITY;
    for (let node: ContextNode | undefined = this; node !== undefined; node = node.parent) {
      const own = node.ownHooks(name);
      if (name === 'onRoute') {
        hooks.push(...own.filter(({ order }) => order < before));
        before = node.#openedAt;
      } else hooks.push(...own);
    }
    return hooks.sort((a, b) => a.order - b.order);
  }

  ownHooks(name: StoredHookName): readonly AddedHook[] {
    return this.#hooks.get(name) ?? [];
  }

  addHook(name: StoredHookName, added: AddedHook): void {
    const list = this.#hooks.get(name);
    if (list === undefined) this.#hooks.set(name, [added]);
    else list.push(added);
  }

  isRegistered(name: string): boolean {
    for (let node: ContextNode | undefined = this; node !== undefined; node = node.parent) {
      if (node.registered.has(name)) return true;
    }
    return this.pluginNames.includes(name);
  }

  /** This node and all nodes below it, parents first, siblings in order. A loop, so that deep trees do not overflow the stack. */
  *descendants(): Generator<ContextNode> {
    const pending: ContextNode[] = [this];
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      yield node;
      for (let i = node.children.length - 1; i >= 0; i--) pending.push(node.children[i]!);
    }
  }
}

/** The function that creates the request loggers of a context. A route may have its own. */
export function childLoggerFactoryOf(node: ContextNode): ChildLoggerFactory<Context> {
  return node.setting('childLoggerFactory') ?? defaultChildLoggerFactory;
}

/** How the framework writes the errors of a context. */
export function errorFormatOf(node: ContextNode): ErrorFormat {
  return node.setting('errorFormat') ?? 'json';
}

/** The settings of a context that a route takes over before the next plugin loads. What the context sets later does not change the route. */
export type RouteContextSettings = {
  readonly [Name in 'errorHandler' | 'replySerializer' | 'formatProblems' | 'errorFormat']:
    | ContextSettings[Name]
    | undefined;
} & { readonly childLoggerFactory: ChildLoggerFactory<Context> };

/** Settings of a context. If one is not set, that of the nearest ancestor applies. */
export interface ContextSettings {
  /** Bound to the context that set it. */
  formatProblems?: SchemaErrorFormatter;
  /** `null` turns off that of an ancestor. */
  replySerializer?: ((payload: never, status: number) => string) | null;
  errorHandler?: AddedErrorHandler;
  childLoggerFactory?: ChildLoggerFactory<Context>;
  errorFormat?: ErrorFormat;
  responses?: AllowedResponses;
  overload?: OverloadSettings | false;
  makeRequestId?: (rawRequest: never) => string;
  logLevel?: string;
  logSerializers?: LogSerializers;
}

/** An error handler, the context, the line and the plugin that set it, and the handler that gets its errors. */
export interface AddedErrorHandler {
  readonly handler: ErrorHandler;
  readonly origin: Origin;
  readonly node: ContextNode;
  /** The handler that applied to the context before; `undefined` if that was the default one. */
  readonly outer: AddedErrorHandler | undefined;
}

export interface NotFoundDetails {
  preValidation?: RequestHook | RequestHook[];
  preHandler?: RequestHook | RequestHook[];
  [detail: string]: unknown;
}

/** A not-found handler. It belongs to the context whose URL space it covers. */
export interface NotFoundRecord {
  /** The context that set it: its hooks run. */
  readonly node: ContextNode;
  readonly details: NotFoundDetails;
  readonly target: RouteTarget;
}

/** Joins two prefixes with exactly one slash between them. */
function joinPrefix(parent: string, own: string | undefined): string {
  if (!own) return parent;
  if (parent.endsWith('/') && own.startsWith('/')) return parent + own.slice(1);
  return parent.endsWith('/') || own.startsWith('/') ? parent + own : `${parent}/${own}`;
}

const defaultMethods: ReadonlyMap<string, boolean> = new Map([
  ...bodylessMethods.map((method) => [method, false] as const),
  ...bodyMethods.map((method) => [method, true] as const),
]);
