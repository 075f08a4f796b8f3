/** Words the errors of boot: avvio's under the codes of the catalogue, with the plugin or the listener that boot waits for. */
import type { ErrorTranslator } from '../../contract/compatibility.ts';
import type { ErrorPlace } from '../../shared/error-place.ts';
import { ownErrorFor } from './avvio.ts';
import type { UnnamedPlugins } from './plugin-name.ts';
import { type Registration, type RegistrationOrigin, registrationOf } from './plugin-registration.ts';

/** What errors of boot need of the application. */
export interface BootErrorSource {
  /** Gives errors of the catalogue the name and message that the application uses. */
  readonly translateError: ErrorTranslator;
  /** The place of a plugin whose context is open. */
  locate(registration: RegistrationOrigin | Registration): ErrorPlace | undefined;
}

export class BootErrors {
  /** Where the listener of `after` stands that runs at the moment. */
  listening: (() => ErrorPlace) | undefined = undefined;
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
    const Known = ownErrorFor(error);
    if (Known === undefined) return translateError(error);
    const timedOut = registrationOf((error as { fn?: unknown }).fn);
    // The limits of nested plugins end at about the same time, and any of them may be the first.
    const stuck = timedOut && ([...this.#running].at(-1) ?? timedOut);
    const where = this.#unfinishedPlace(stuck);
    const message = stuck === timedOut ? error.message : nameInstead(error.message, timedOut!, stuck!);
    const text = this.#unnamedPlugins.fillIn(message);
    return translateError(Known.at({ cause: error, ...(where && { where }) }, text));
  }

  /** Where boot waits: for a plugin that it was told of, or a listener. */
  #unfinishedPlace(registration: Registration | undefined): ErrorPlace | undefined {
    if (registration === undefined)
      return this.listening && { ...this.listening(), step: 'the listener passed to `after` has not ended' };
    const place = this.#source.locate(registration);
    return place && { ...place, step: stepOf(registration) };
  }
}

/** The message with the name of the other plugin. */
function nameInstead(message: string, named: Registration, other: Registration): string {
  const [from, to] = [named, other].map(({ plugin }) => `'${plugin.name}'`) as [string, string];
  return message.replace(from, () => to);
}

function stepOf({ plugin }: Registration): string {
  return plugin.length >= 3
    ? 'the plugin has not called its `done` callback'
    : 'the promise that the plugin returned has not settled';
}
