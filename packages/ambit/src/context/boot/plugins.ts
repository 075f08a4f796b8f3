/** What is a plugin, what does it need, and how does it get its context? */
import { createRequire } from 'node:module';
import { isAbsolute, relative } from 'node:path';
import { type CallSite, type ErrorPlace, withErrorPlace } from '../../shared/call-site.ts';
import { lazyModule } from '../../shared/lazy-module.ts';
import { nearestName } from '../../shared/nearest-name.ts';
import { isAsyncFunction, isGeneratorFunction, isThenable } from '../../shared/values.ts';
import type { Context, ContextOf, MinimalContext } from '../../types/context.ts';
import type { ContextTypes, Needed } from '../../types/context-types.ts';
import {
  OptionInvalid,
  PluginDecoratorMissing,
  PluginDependencyMissing,
  PluginInvalid,
  PluginMetadataInvalid,
  PluginMixesStyles,
  PluginTimeout,
  PluginVersionMismatch,
} from '../../types/errors.ts';
import type { Compatibility } from '../../types/flavor.ts';
import type { Done } from '../../types/hooks.ts';
import {
  displayNameMarker,
  type HoistedPlugin,
  hoistMarker,
  type MarkedPlugin,
  metadataMarker,
  type PluginFunction,
  type PluginMetadata,
  type PluginResultTypes,
  type RegisterOptions,
} from '../../types/plugins.ts';
import { ContextNode } from '../context-node.ts';
import { adviseUndefined, hintAbout, hintAboutDecorator, nodeOf } from '../definitions.ts';
import {
  allChecks,
  checkSpelling,
  checkTypes,
  isOfType,
  type OptionTypes,
  objectOrFalse,
  reportMistake,
  typeOf,
} from '../options/check-options.ts';
import type { Boot, BootSettings } from './boot.ts';
import { avvioError, type BootStep, callPlugin, toError, type Work, withinMs } from './loader.ts';

const require = createRequire(import.meta.url);

type AnyPlugin = PluginFunction & MarkedPlugin;
type AnyOptions = RegisterOptions & Record<string, unknown>;

/** What a hoisted plugin may declare about itself. */
export interface HoistOptions extends PluginMetadata {
  /** The name under which others depend on it. */
  name?: string;
}

/**
 * Makes a plugin fill the context that it is registered in, instead of a child context of its own: its decorators, hooks, routes and
 * schemas belong to that context.
 *
 * TypeScript knows what the plugin adds if the plugin returns the context that its last chained call returned.
 *
 * @param plugin A function, or an ES module whose default export is one. It is marked in place.
 * @param details A name, or the name, the dependencies and the decorators that must exist when the plugin is registered.
 * @returns The plugin.
 * @throws {AMBIT_ERR_PLUGIN_METADATA} if the plugin is not a function, or the details are neither an object nor a name.
 * @throws {AMBIT_ERR_UNKNOWN_OPTION} for a detail that looks misspelled.
 */
export function hoist<Options = Record<string, unknown>, In = Context, Result = unknown>(
  plugin: PluginFunction<Options, In, Result> | { default: PluginFunction<Options, In, Result> },
  details: HoistOptions | string = {},
): HoistedPlugin<Options, MinimalContext<In>, PluginResultTypes<Result>> {
  type Marked = HoistedPlugin<Options, MinimalContext<In>, PluginResultTypes<Result>>;
  const marked = (typeof plugin === 'function' ? plugin : plugin?.default) as unknown as Marked;
  if (typeof marked !== 'function') {
    const received = plugin === null ? 'null' : typeof plugin;
    throw new PluginMetadataInvalid(`hoist expects a function, instead got ${received}`);
  }
  const metadata: PluginMetadata = typeof details === 'string' ? { name: details } : { ...details };
  if (typeof details !== 'string' && typeOf(details) !== 'object')
    throw new PluginMetadataInvalid('hoist expects an object or a name as its second argument');
  checkSpelling(metadata, ['name', 'fastify', 'dependencies', 'decorators'], 'hoist', allChecks);
  metadata.name ??= marked.name || 'anonymous';
  marked[hoistMarker] = true;
  marked[displayNameMarker] = metadata.name;
  marked[metadataMarker] = metadata;
  return marked;
}

/**
 * Declares what a plugin needs of the context that it is registered in: `plugin<{ context: { db: Db } }>()((context) => …)`. If the context
 * does not have it, `register` does not compile. It has no effect at run time: to check at run time, use the option `decorators` of
 * `hoist`.
 *
 * @returns A function that takes the plugin and returns it.
 */
export function plugin<Needs extends Partial<ContextTypes>>(): <
  Options = Record<string, unknown>,
  Result = unknown,
>(
  fill: PluginFunction<Options, ContextOf<Needed<Needs>>, Result>,
) => PluginFunction<Options, ContextOf<Needed<Needs>>, Result> {
  return (fill) => fill;
}

/** One call of `register`: the same plugin may be registered many times. */
export class Registration implements Work {
  readonly kind = 'plugin';
  /** The line that called `register`. */
  readonly site: CallSite;
  /** The step of boot whose code called `register`. */
  readonly step: BootStep;
  readonly whenKnown: Promise<void> | undefined;
  /** The step that runs the plugin. */
  runStep: BootStep | undefined = undefined;
  // The next three are set when the plugin's turn has come.
  names: PluginNames | undefined = undefined;
  /** The context of the step that was running when it was registered. */
  parent: ContextNode | undefined = undefined;
  /** The context that it fills: the same one if it is hoisted. `undefined` if the plugin was rejected. */
  context: Context | undefined = undefined;
  #plugin: AnyPlugin | undefined;
  readonly #options: AnyOptions | ((context: Context) => AnyOptions);
  readonly #boot: Boot;

  /** @param plugin A function, an ES module whose default export is one, or a promise of either. Anything else is an error. */
  constructor(plugin: unknown, options: unknown, site: CallSite, boot: Boot) {
    this.site = site;
    this.step = boot.step;
    this.#options = (options || {}) as AnyOptions;
    this.#boot = boot;
    if (isThenable(plugin)) {
      this.whenKnown = this.#learn(plugin);
      // Boot takes the error in its turn. Until then, the process would take it for one that nobody handles.
      this.whenKnown.catch(() => {});
    } else this.#plugin = pluginIn(plugin, boot.settings.compatibility);
  }

  async #learn(promise: PromiseLike<unknown>): Promise<void> {
    const { timeoutMs, compatibility } = this.#boot.settings;
    const step = 'the promise passed to `register` has not settled';
    const where = { file: this.site.file, step };
    try {
      const plugin = await new Promise((resolve, reject) => {
        const makeTimeout = () => PluginTimeout.at({ where }, `Plugin did not load in time: ${step}`);
        const settle = (timeout?: Error): void => (timeout ? reject(timeout) : resolve(promise));
        const end = withinMs(timeoutMs, settle, makeTimeout);
        promise.then(
          () => end(),
          () => end(),
        );
      });
      this.#plugin = pluginIn(plugin, compatibility);
    } catch (error) {
      throw this.#makeError(error);
    }
  }

  get fn(): AnyPlugin {
    return this.#plugin!;
  }

  get #nameOption(): string | undefined {
    return typeof this.#options === 'function' ? undefined : this.#options.name;
  }

  /** As avvio names it, in the tree that `printPlugins` draws and in errors of time limits. */
  get name(): string {
    const plugin = this.#plugin;
    const name = this.#nameOption;
    if (plugin === undefined) return name || '[object Promise]';
    const ofPlugin = plugin[metadataMarker]?.name ?? plugin[displayNameMarker];
    return String(ofPlugin || name || plugin.name || nameless(plugin, this.site, this.#boot.settings));
  }

  /** Opens the context of the plugin, if its requirements are met. A hoisted plugin gets that of its parent. */
  open(parentContext: Context | undefined): Context {
    const { registrations, settings } = this.#boot;
    registrations.push(this);
    const parent = parentContext === undefined ? settings.root() : nodeOf(parentContext);
    const { fn: plugin } = this;
    const names = new PluginNames(plugin, this.#nameOption, this.site, settings);
    this.names = names;
    this.parent = parent;
    if (names.registered) parent.registered.add(names.registered);
    const open = (): Context => {
      checkPlugin(plugin, names.registered || names.inPluginName, parent);
      if (!plugin[hoistMarker]) return openChild(parent, names, this.#options as AnyOptions, this.runStep);
      parent.pluginNames.push(names.inPluginName);
      return parent.api;
    };
    this.context = withErrorPlace(open, () => this.place!, settings.translateError);
    return this.context;
  }

  run(_error: null, done: Done, context: Context): void {
    const plugin = this.fn as (...args: unknown[]) => unknown;
    const options = this.#options;
    callPlugin(
      plugin,
      (end) => plugin(context, typeof options === 'function' ? options(context) : options, end),
      done,
      (thrown) => this.#makeError(thrown),
    );
  }

  #makeError(thrown: unknown): Error {
    const place = (): ErrorPlace => this.place ?? { file: this.site.file };
    if (this.context !== undefined) adviseUndefined(thrown, nodeOf(this.context));
    return this.#boot.settings.translateError(toError(thrown, 'the plugin', place));
  }

  /** The plugin's path in the tree of contexts, and the line that registered it; `undefined` until boot has reached the plugin. */
  get place(): ErrorPlace | undefined {
    const { parent, names, site } = this;
    // Made on demand, because a path is as long as the tree is deep.
    return parent && { plugin: `${parent.path} > ${names!.inPath}`, file: site.file };
  }

  stuckPlace(): ErrorPlace {
    const step =
      this.fn.length >= 3
        ? 'the plugin has not called its `done` callback'
        : 'the promise that the plugin returned has not settled';
    return { ...this.place, step };
  }
}

/** The function in what `register` takes. */
function pluginIn(value: unknown, compatibility: Compatibility): AnyPlugin {
  const plugin = typeof value === 'function' ? value : (Object(value) as { default?: unknown }).default;
  if (isGeneratorFunction(plugin)) {
    const problem = 'Plugin must not be a generator function: its body would not run';
    reportMistake(compatibility, new PluginInvalid(problem));
  }
  if (typeof plugin === 'function') return plugin as AnyPlugin;
  const message = `Plugin must be a function or a promise. Received: '${typeOf(value)}'`;
  throw PluginInvalid.at({ cause: avvioError('AVV_ERR_PLUGIN_NOT_VALID', message) }, message);
}

const registerTypes: OptionTypes = {
  prefix: ['string', 'false'],
  logLevel: ['string', 'false'],
  logSerializers: objectOrFalse,
};

function openChild(
  parent: ContextNode,
  names: PluginNames,
  given: AnyOptions,
  loading: BootStep | undefined,
): Context {
  const { app } = parent;
  const { compatibility } = app;
  const options = { ...given };
  // A prefix that is no text becomes one, as in Fastify; other values of a wrong type are ignored.
  if (!compatibility.checksDeclarations && given.prefix) options.prefix = String(given.prefix);
  checkTypes(options, registerTypes, (problem) => OptionInvalid('register', problem), compatibility);
  // Plugins have options of their own, so a name counts as misspelled only if it differs by one letter and its value has the right type.
  const isOwn = (name: string, value: unknown, nearest: string): boolean =>
    nearestName(name, [nearest], 1) === undefined || !isOfType(value, registerTypes[nearest]!);
  checkSpelling(given, Object.keys(registerTypes), 'register', compatibility, isOwn);
  // The only place with prototype inheritance: what is added to the parent can be read from the child.
  const api = Object.create(parent.api) as Context;
  const node = new ContextNode(app, api, names, parent, options.prefix);
  node.loading = loading;
  if (options.logLevel) node.settings.logLevel = options.logLevel;
  if (options.logSerializers)
    node.settings.logSerializers = { ...parent.setting('logSerializers'), ...options.logSerializers };
  for (const { hook } of parent.addedHooks('onRegister'))
    hook.call(parent.api, api as never, options as never);
  return api;
}

/** The API level before the current one. Plugins whose version range includes it are accepted, too. */
const olderLevel = '4.x';

const loadSemver = lazyModule<typeof import('semver')>(() => require('semver'));

/** Checks the requirements of a plugin in the context that it is registered in. */
function checkPlugin(plugin: AnyPlugin, name: DisplayName, parent: ContextNode): void {
  if (isAsyncFunction(plugin) && plugin.length === 3) throw new PluginMixesStyles(String(name));
  const metadata = plugin[metadataMarker];
  if (metadata === undefined) return;
  // Tests of plugins replace the version of an application, to see what the plugin accepts.
  checkVersion(metadata, String(name), parent.app.flavor.apiLevel ?? parent.app.root.version);
  checkDecorators(metadata, parent);
  for (const dependency of listIn(metadata.dependencies, 'dependencies')) {
    if (dependency === metadata.name) throw new PluginMetadataInvalid(`${name} depends on itself`);
    if (!parent.isRegistered(String(dependency)))
      throw PluginDependencyMissing.at(
        { hint: hintAbout(dependency, parent, ({ registered }) => registered) },
        String(dependency),
        String(name),
      );
  }
}

function checkVersion({ fastify: range }: PluginMetadata, name: string, apiLevel: string): void {
  if (range === undefined || range === null || range === '') return;
  const semver = loadSemver();
  if (semver.validRange(range) === null)
    throw new PluginMetadataInvalid(`'${range}' of ${name} is not a version range`);
  const isPrerelease = semver.prerelease(apiLevel) !== null;
  if (semver.satisfies(apiLevel, range, { includePrerelease: isPrerelease })) return;
  if (semver.intersects(range, olderLevel)) return;
  // A prerelease must also load plugins for the release before it, because otherwise it could not be tried with any plugin.
  if (isPrerelease && semver.gt(apiLevel, semver.coerce(range) ?? apiLevel)) return;
  throw new PluginVersionMismatch(name, range, apiLevel);
}

function checkDecorators({ decorators, name }: PluginMetadata, parent: ContextNode): void {
  const requiredBy = typeof name === 'string' ? ` required by '${name}'` : '';
  const owners = [
    ['Fastify', 'decorator', decorators?.fastify],
    ['Reply', 'replyDecorator', decorators?.reply],
    ['Request', 'requestDecorator', decorators?.request],
  ] as const;
  for (const [owner, kind, names] of owners) {
    for (const decorator of listIn(names, 'decorators')) {
      if (kind === 'decorator' ? decorator in parent.api : parent[`${kind}s`].has(decorator)) continue;
      const hint = hintAboutDecorator(decorator, parent, kind);
      throw PluginDecoratorMissing.at({ hint }, String(decorator), requiredBy, owner);
    }
  }
}

function listIn(list: unknown, field: string): readonly (string | symbol)[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw new PluginMetadataInvalid(`The ${field} should be an array of strings`);
  return list as (string | symbol)[];
}

/**
 * The names of one plugin that has begun to load; `Registration.name` is one more, and known earlier. There are so many because plugins for
 * Fastify rely on each: a plugin is registered under the name in its metadata, but shown under another; and if it has none, `pluginName` shows
 * its source on the facade, while paths show the line that registered it.
 */
class PluginNames {
  /** The name under which other plugins depend on it. */
  readonly registered: string | undefined;
  /** Its name in the paths of contexts, `ambit > users`. */
  readonly inPath: DisplayName;
  /** Its name in `context.pluginName`, `ambit -> users`. */
  readonly inPluginName: DisplayName;

  /** @param option The option `name` of `register`. */
  constructor(plugin: AnyPlugin, option: unknown, site: CallSite, settings: BootSettings) {
    this.registered = plugin[metadataMarker]?.name;
    const own = plugin[displayNameMarker] || exportingFile(plugin) || plugin.name;
    this.inPath = own || (typeof option === 'string' && option) || registeringLine(site);
    const isFacade = settings.compatibility.messages === 'fastify';
    this.inPluginName = own || (isFacade ? nameless(plugin, site, settings) : this.inPath);
  }
}

/** What is shown for a plugin without a name: on the facade, the first two lines of its source, as in Fastify. */
function nameless(plugin: AnyPlugin, site: CallSite, { compatibility }: BootSettings): DisplayName {
  if (compatibility.messages !== 'fastify') return registeringLine(site);
  const lines = plugin.toString().split('\n', 2);
  return lines.map((line) => line.trim()).join(' -- ');
}

/** A name, or the line that registered a plugin without one. That text is made on demand: it is expensive, and rarely needed. */
export type DisplayName = string | { toString(): string };

/** The line that registered a plugin: `src/app.ts:12`, as seen from the working directory. */
function registeringLine(site: CallSite): DisplayName {
  return {
    toString() {
      const { file } = site;
      if (file === undefined) return 'anonymous';
      const line = file.replace(/:\d+$/, '');
      const relativePath = relative(process.cwd(), line);
      return relativePath.startsWith('..') || isAbsolute(relativePath) ? line : relativePath;
    },
  };
}

/** The CommonJS file whose `module.exports` is the plugin. */
function exportingFile(plugin: AnyPlugin): string | undefined {
  return Object.keys(require.cache ?? {}).find((file) => require.cache[file]?.exports === plugin);
}
