/** Names plugins: as they say themselves, or by the line that registered them. */
import { isAbsolute, relative } from 'node:path';
import { displayNameMarker, type MarkedPlugin } from '../contract/plugin.ts';
import type { PluginFunction } from '../contract/registration.ts';
import type { CallSite } from '../shared/call-site.ts';
import { require } from '../shared/require.ts';

type NamedFunction = PluginFunction & MarkedPlugin;

/** The line that registered a plugin without a name. It becomes text when somebody asks for it, which is rare, and costs. */
export class PlaceName {
  readonly #site: CallSite;

  constructor(site: CallSite) {
    this.#site = site;
  }

  /** `src/app.ts:12`, as seen from the working directory. */
  toString(): string {
    const { place } = this.#site;
    if (place === undefined) return 'anonymous';
    const line = place.replace(/:\d+$/, '');
    const near = relative(process.cwd(), line);
    return near.startsWith('..') || isAbsolute(near) ? line : near;
  }
}

/** Stand-ins for such names, for who wants text at once: the names are put in when the text is shown. */
export class PlaceNames {
  readonly #names: PlaceName[] = [];

  standInFor(site: CallSite): string {
    return `plugin without a name, number ${this.#names.push(new PlaceName(site))}`;
  }

  putInto(text: string): string {
    return text.replace(/plugin without a name, number (\d+)/g, (_, number) =>
      String(this.#names[Number(number) - 1]),
    );
  }
}

/** How a plugin is shown: its name, or where it was registered. */
export type ShownName = string | PlaceName;

/** As the plugin is marked, the file that exports it, or its function's name. */
export function ownName(plugin: NamedFunction): string | undefined {
  return plugin[displayNameMarker] || exportingFile(plugin) || plugin.name || undefined;
}

/** The first two lines of a plugin's source: what the ecosystem calls one without a name. */
export function sourceName(plugin: NamedFunction): string {
  return plugin
    .toString()
    .split('\n', 2)
    .map((line) => line.trim())
    .join(' -- ');
}

/** Where the plugin is the whole export of a CommonJS file, that file. */
function exportingFile(plugin: NamedFunction): string | undefined {
  return Object.keys(require.cache ?? {}).find((file) => require.cache[file]?.exports === plugin);
}
