/** Reads the metadata of a plugin, and rejects the plugin if its requirements are not met (specification 1.7, 9.1). */

import { lazyModule, require } from '../../shared/lazy-module.ts';
import { isAsyncFunction } from '../../shared/thenable.ts';
import {
  type DecoratorOwner,
  PluginDecoratorMissing,
  PluginDependencyMissing,
  PluginMetadataInvalid,
  PluginMixesStyles,
  PluginVersionMismatch,
} from '../../types/errors.ts';
import {
  type MarkedPlugin,
  metadataMarker,
  type PluginFunction,
  type PluginMetadata,
} from '../../types/plugins.ts';
import type { DisplayName } from './plugin-name.ts';

/** The API level before the current one. Plugins whose version range includes it are accepted, too. */
const olderLevel = '4.x';

const loadSemver = lazyModule<typeof import('semver')>(() => require('semver'));

type MarkedFunction = PluginFunction & MarkedPlugin;

/** The name under which a plugin counts as registered, if it has one. */
export function registeredName(plugin: MarkedFunction): string | undefined {
  return plugin[metadataMarker]?.name || undefined;
}

/** What the requirements of a plugin are checked against. */
export interface PluginHost {
  /** The name that errors show if the plugin's metadata has none. */
  readonly name: DisplayName;
  /** The API level of the ecosystem that version ranges are checked against. */
  readonly apiLevel: string;
  isRegistered(name: string): boolean;
  has(owner: DecoratorOwner, decorator: string | symbol): boolean;
}

/** @throws An error of the catalogue if a requirement of the plugin is not met. */
export function checkPlugin(plugin: MarkedFunction, host: PluginHost): void {
  const name = registeredName(plugin) ?? String(host.name);
  if (isAsyncFunction(plugin) && plugin.length === 3) throw new PluginMixesStyles(name);
  const metadata = plugin[metadataMarker];
  if (metadata === undefined) return;
  checkVersion(metadata, name, host.apiLevel);
  checkDecorators(metadata, host);
  for (const dependency of stringList(
    metadata.dependencies,
    'The dependencies should be an array of strings',
  )) {
    if (dependency === metadata.name) throw new PluginMetadataInvalid(`${name} depends on itself`);
    if (!host.isRegistered(String(dependency))) throw new PluginDependencyMissing(String(dependency), name);
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
  // A prerelease must also load plugins for the release before it, because otherwise it could not be tried with any
  // plugin.
  if (isPrerelease && semver.gt(apiLevel, semver.coerce(range) ?? apiLevel)) return;
  throw new PluginVersionMismatch(name, range, apiLevel);
}

function checkDecorators({ decorators, name }: PluginMetadata, host: PluginHost): void {
  const requiredBy = typeof name === 'string' ? ` required by '${name}'` : '';
  const owners = [
    ['Fastify', decorators?.fastify],
    ['Reply', decorators?.reply],
    ['Request', decorators?.request],
  ] as const;
  for (const [owner, names] of owners) {
    for (const decorator of stringList(names, 'The decorators should be an array of strings')) {
      if (!host.has(owner, decorator)) throw new PluginDecoratorMissing(String(decorator), requiredBy, owner);
    }
  }
}

function stringList(list: unknown, problem: string): readonly (string | symbol)[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw new PluginMetadataInvalid(problem);
  return list as (string | symbol)[];
}
