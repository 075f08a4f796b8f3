/** What tools list of an application: plugins, contexts, routes, their steps and schemas. `inspect.ts` loads this file and says what each function returns. */
import { defaultDialect } from '@ambit/json-schema';
import { type ContentSchemas, readContentSchemas } from '../../schemas/content-schemas.ts';
import { serializerCode } from '../../schemas/serializer-engine.ts';
import type { CallSite, ErrorPlace } from '../../shared/call-site.ts';
import { isPlainObject } from '../../shared/values.ts';
import type { SchemaDialect, ValidatorFunction } from '../../types/compilers.ts';
import type { Context } from '../../types/context.ts';
import type {
  CompiledSchemaInfo,
  ContextDefinition,
  DeclaredBy,
  InspectedContext,
  Origin,
  RanAfterListener,
  RegisteredPlugin,
  RouteStep,
  StepPath,
} from '../../types/inspection.ts';
import type { AppFunction, Observer, Step } from '../../types/plan.ts';
import type { DeclaredRoute, RegisteredRoute } from '../../types/route-info.ts';
import type { RouteSchema } from '../../types/route-schema.ts';
import type { Registration } from '../boot/plugins.ts';
import type { ContextNode } from '../context-node.ts';
import { nodeOf } from '../definitions.ts';
import { headReplyHook } from '../routes/add-route.ts';
import { type RouteRecord, settingsOf } from '../routes/route-record.ts';

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

function listedPlugin(registration: Registration): ListedPlugin {
  let plugin = listedPlugins.get(registration);
  if (plugin === undefined) {
    plugin = describePlugin(registration);
    listedPlugins.set(registration, plugin);
  }
  return plugin;
}

/** The getters read what the plugin may still change, and what must be taken from a stack trace. */
function describePlugin(registration: Registration): ListedPlugin {
  const { plugin, site, step } = registration;
  const placement = registration.placement!;
  const { label, parent } = placement;
  return {
    name: String(label),
    function: plugin,
    parent,
    get context() {
      return placement.context!;
    },
    get isHoisted() {
      return parent === placement.context;
    },
    get registeredBy() {
      return ownerOf({ step });
    },
    waitedFor: undefined,
    get file() {
      return placeOf(site);
    },
    get startedAtMs() {
      return registration.startedAtMs ?? 0;
    },
    get endedAtMs() {
      return registration.endedAtMs ?? registration.startedAtMs ?? 0;
    },
    loadedAtMs: registration.endedAtMs ?? registration.startedAtMs ?? 0,
  };
}

function ownerOf({ step }: Pick<Origin, 'step'>): ListedPlugin | undefined {
  const owner = step.owner as Registration | undefined;
  return owner && listedPlugin(owner);
}

const places = new WeakMap<CallSite, string | undefined>();

/** The line of a call. It is read from the stack trace once, because many steps of routes share one call. */
function placeOf(site: CallSite | undefined): string | undefined {
  if (site === undefined) return undefined;
  if (!places.has(site)) places.set(site, site.location);
  return places.get(site);
}

export function listAfterListeners(app: Context): RanAfterListener[] {
  return nodeOf(app)
    .app.boot.afterListeners.flatMap((added) => {
      const { listener, context, startedAtMs, endedAtMs = startedAtMs } = added;
      if (startedAtMs === undefined) return [];
      return [{ function: listener, context, startedAtMs, endedAtMs: endedAtMs!, ...declaredBy(added) }];
    })
    .sort((a, b) => a.startedAtMs - b.startedAtMs);
}

/** The line and the plugin that declared something. */
function declaredBy(origin: Origin): DeclaredBy {
  return { file: placeOf(origin.site), plugin: ownerOf(origin) };
}

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
            return placeOf(origin.site);
          },
          get plugin() {
            return ownerOf(origin);
          },
        }),
      );
    },
  }));
}

export function listRoutes(context: Context): DeclaredRoute[] {
  const routes: DeclaredRoute[] = [];
  for (const node of nodeOf(context).descendants()) {
    const listed = new Set<RegisteredRoute>();
    for (const record of node.routes) {
      // A prefix with and without its slash is one route at two URLs.
      if (listed.has(record.options)) continue;
      listed.add(record.options);
      routes.push(new ListedRoute(record, node));
    }
  }
  return routes;
}

class ListedRoute implements DeclaredRoute {
  readonly url: string;
  readonly method: string | string[];
  readonly options: RegisteredRoute;
  readonly context: Context;
  readonly isAutomatic: boolean;
  readonly #record: RouteRecord;
  readonly #node: ContextNode;

  constructor(record: RouteRecord, node: ContextNode) {
    this.url = record.publicUrl;
    this.method = record.options.method;
    this.options = record.options;
    this.context = node.api;
    this.isAutomatic = record.isAutomatic;
    this.#record = record;
    this.#node = node;
  }

  get record(): RouteRecord {
    return this.#record;
  }

  get dialect(): SchemaDialect {
    return this.#node.app.options.ajv.dialect ?? defaultDialect;
  }

  get hasErrorHandler(): boolean {
    const { errorHandler } = this.#record.settings ?? settingsOf(this.#node);
    return (this.options.errorHandler ?? errorHandler) !== undefined;
  }

  // Made on demand: the file is read from a stack trace.
  get where(): ErrorPlace {
    const route = `${[this.method].flat().join(',')} ${this.url}`;
    return { plugin: this.#node.path, route, file: placeOf(this.#record.site) };
  }
}

/** The paths, in the order in which a request may take them. */
const stepPaths: readonly StepPath[] = [
  'request',
  'reply',
  'failure',
  'onResponse',
  'onTimeout',
  'onRequestAbort',
];

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

export function listCompiledSchemas(route: DeclaredRoute): CompiledSchemaInfo[] {
  const { record } = route as ListedRoute;
  const { schema } = record.options;
  if (record.target.plan === undefined || !schema) return [];
  return [...requestSchemas(record, schema), ...responseSchemas(record, schema, nodeOf(route.context))];
}

function requestSchemas(record: RouteRecord, schema: RouteSchema): CompiledSchemaInfo[] {
  const { validators } = record.target.plan!;
  if (validators === undefined) return [];
  const declared = declaredParts(record);
  return validators.parts.flatMap((part) =>
    contentOf(part === 'body' ? schema.body : { forAllTypes: schema[part] }, part === 'body').map(
      ([contentType, resolved]) => {
        const validator =
          contentType === undefined ? validators[part] : validators.bodyByType?.get(contentType);
        return {
          part,
          status: undefined,
          contentType,
          declared: declaredOf(declared[part], contentType),
          resolved: compiledFrom(validator) ?? resolved,
          code: validatorCode(validator),
        };
      },
    ),
  );
}

function responseSchemas(record: RouteRecord, schema: RouteSchema, node: ContextNode): CompiledSchemaInfo[] {
  const { schemas, app } = node;
  const hasCustomSerializer = schemas.hasCustomSerializer || Boolean(record.options.serializerCompiler);
  const declared = declaredParts(record).response as Record<string, unknown> | undefined;
  return Object.entries(schema.response || {}).flatMap(([status, entry]) =>
    contentOf(entry, true).map(([contentType, resolved]) => ({
      part: 'response' as const,
      status,
      contentType,
      declared: declaredOf(declared?.[status], contentType),
      resolved,
      code: hasCustomSerializer
        ? undefined
        : serializerCode(resolved, schemas.all(), app.options.ajv.dialect),
    })),
  );
}

/** The schemas that the route declares, under the names that validators have: `querystring` for `query`. */
function declaredParts({ declaredSchema }: RouteRecord): Record<string, unknown> {
  const { query, querystring = query, ...parts } = (declaredSchema ?? {}) as Record<string, unknown>;
  return { ...parts, querystring };
}

function declaredOf(declared: unknown, contentType: string | undefined): unknown {
  if (contentType === undefined || !isPlainObject(declared) || !isPlainObject(declared.content))
    return declared;
  const [, entry] =
    Object.entries(declared.content).find(([type]) => type.toLowerCase().startsWith(contentType)) ?? [];
  return isPlainObject(entry) ? entry.schema : declared;
}

/** The schemas of a part with their media types. A schema for all media types comes with `undefined`. */
function contentOf(entry: unknown, mayHaveContent: boolean): [string | undefined, unknown][] {
  const content = (mayHaveContent ? readContentSchemas(entry, 'a part') : entry) as ContentSchemas;
  return 'byType' in content ? [...content.byType] : [[undefined, content.forAllTypes]];
}

/** The properties of Ajv's functions that are read here. */
interface AjvFunction {
  readonly schema?: unknown;
  readonly schemaEnv?: { readonly validate?: unknown };
}

function compiledFrom(validator: ValidatorFunction | undefined): unknown {
  return (validator as AjvFunction | undefined)?.schema;
}

function validatorCode(validator: ValidatorFunction | undefined): string | undefined {
  const compiled = (validator as AjvFunction | undefined)?.schemaEnv?.validate;
  return typeof compiled === 'function' ? String(compiled) : undefined;
}
