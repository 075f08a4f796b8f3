/** The names of plugins: their own, or the line that registered them. */
import { isAbsolute, relative } from 'node:path';
import type { CallSite } from '../../shared/call-site.ts';
import { require } from '../../shared/lazy-module.ts';
import { displayNameMarker, type MarkedPlugin, type PluginFunction } from '../../types/plugins.ts';

type NamedFunction = PluginFunction & MarkedPlugin;

/** The line that registered a plugin without a name. The text is made on demand: it is expensive, and rarely needed. */
export class RegistrationPlace {
  readonly #site: CallSite;

  constructor(site: CallSite) {
    this.#site = site;
  }

  /** `src/app.ts:12`, as seen from the working directory. */
  toString(): string {
    const { location } = this.#site;
    if (location === undefined) return 'anonymous';
    const line = location.replace(/:\d+$/, '');
    const relativePath = relative(process.cwd(), line);
    return relativePath.startsWith('..') || isAbsolute(relativePath) ? line : relativePath;
  }
}

/** Placeholders for plugins without a name, because avvio needs a text at once. `fillIn` replaces them when avvio's text is shown. */
export class UnnamedPlugins {
  readonly #names: RegistrationPlace[] = [];

  placeholderFor(site: CallSite): string {
    return `plugin without a name, number ${this.#names.push(new RegistrationPlace(site))}`;
  }

  fillIn(text: string): string {
    return text.replace(/plugin without a name, number (\d+)/g, (_, number) =>
      String(this.#names[Number(number) - 1]),
    );
  }
}

/** How a plugin is shown: its name, or where it was registered. */
export type DisplayName = string | RegistrationPlace;

/** The name in the plugin's metadata, the file that exports it, or the name of its function. */
export function ownName(plugin: NamedFunction): string | undefined {
  return plugin[displayNameMarker] || exportingFile(plugin) || plugin.name || undefined;
}

/** The first two lines of a plugin's source: Fastify's name for a plugin without one. */
export function sourceName(plugin: NamedFunction): string {
  return plugin
    .toString()
    .split('\n', 2)
    .map((line) => line.trim())
    .join(' -- ');
}

/** The CommonJS file whose `module.exports` is the plugin. */
function exportingFile(plugin: NamedFunction): string | undefined {
  return Object.keys(require.cache ?? {}).find((file) => require.cache[file]?.exports === plugin);
}
