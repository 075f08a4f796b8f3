/** Translates the errors of boot: avvio's errors get the codes of the catalogue and name the plugin or the listener that boot waits for. */

import type { ErrorPlace } from '../../shared/error-place.ts';
import type { ErrorTranslator } from '../../types/flavor.ts';
import { ownErrorFor } from './avvio.ts';
import type { UnnamedPlugins } from './plugin-name.ts';
import { type Registration, type RegistrationOrigin, registrationOf } from './plugin-registration.ts';

/** What this file needs from the application. */
export interface BootErrorSource {
  /** Gives errors of the catalogue the name and message that the application uses. */
  readonly translateError: ErrorTranslator;
  /** The place of a plugin whose context is open. */
  locate(registration: RegistrationOrigin | Registration): ErrorPlace | undefined;
}

export class BootErrors {
  /** Returns the place of the listener of `after` that is running; `undefined` while none runs. */
  locateListener: (() => ErrorPlace) | undefined = undefined;
  readonly #source: BootErrorSource;
  readonly #running: ReadonlySet<Registration>;
  readonly #unnamedPlugins: UnnamedPlugins;

  /** @param running Plugins that run, in the order in which they began. */
  constructor(source: BootErrorSource, running: ReadonlySet<Registration>, unnamedPlugins: UnnamedPlugins) {
    this.#source = source;
    this.#running = running;
    this.#unnamedPlugins = unnamedPlugins;
  }

  /** @returns The error of the catalogue, with the original as its cause; or the error itself. */
  translate(error: Error): Error {
    const { translateError } = this.#source;
    const CatalogueError = ownErrorFor(error);
    if (CatalogueError === undefined) return translateError(error);
    const timedOut = registrationOf((error as { fn?: unknown }).fn);
    // The limits of nested plugins end at about the same time, and any of them may be the first.
    const stuck = timedOut && ([...this.#running].at(-1) ?? timedOut);
    const where = this.#unfinishedPlace(stuck);
    const message = stuck === timedOut ? error.message : replaceName(error.message, timedOut!, stuck!);
    const text = this.#unnamedPlugins.fillIn(message);
    return translateError(CatalogueError.at({ cause: error, ...(where && { where }) }, text));
  }

  /** The place of what has not ended: the plugin if there is one, or else the running listener of `after`. */
  #unfinishedPlace(registration: Registration | undefined): ErrorPlace | undefined {
    if (registration === undefined)
      return (
        this.locateListener && {
          ...this.locateListener(),
          step: 'the listener passed to `after` has not ended',
        }
      );
    const place = this.#source.locate(registration);
    return place && { ...place, step: stepOf(registration) };
  }
}

/** Replaces the name of one plugin in a message by that of another. */
function replaceName(message: string, named: Registration, other: Registration): string {
  const [from, to] = [named, other].map(({ plugin }) => `'${plugin.name}'`) as [string, string];
  return message.replace(from, () => to);
}

function stepOf({ plugin }: Registration): string {
  return plugin.length >= 3
    ? 'the plugin has not called its `done` callback'
    : 'the promise that the plugin returned has not settled';
}
