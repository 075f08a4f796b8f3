/** Makes contexts thenable during boot: `await app.register(…)` waits until everything registered so far has loaded. */
import type { Context } from '../../types/context.ts';

export class AwaitedContexts {
  readonly #whenLoaded: () => Promise<void>;
  /** Whether the next read of `then` comes from a promise that is being resolved with the context. */
  #skipsThen = false;

  /** @param whenLoaded Resolves when everything registered so far has loaded. */
  constructor(whenLoaded: () => Promise<void>) {
    this.#whenLoaded = whenLoaded;
  }

  /** Called when something is registered: the next read of `then` is by code that waits for it. */
  add(): void {
    this.#skipsThen = false;
  }

  /** The `then` of a context during boot. It resolves with the context. */
  thenOf(context: Context): PromiseLike<Context>['then'] | undefined {
    // A promise that is resolved with the context reads its `then` again. That read must not wait, or it would never end.
    if (this.#skipsThen) {
      this.#skipsThen = false;
      return undefined;
    }
    return ((resolve: (context: Context) => unknown, reject: (error: unknown) => unknown) =>
      this.#whenLoaded().then(() => this.#resolve(context, resolve), reject)) as PromiseLike<Context>['then'];
  }

  /** A promise reads `then` during the call of its `resolve`. Any later read is by code that waits, so the flag is reset after the call. */
  #resolve(context: Context, resolve: (context: Context) => unknown): unknown {
    this.#skipsThen = true;
    try {
      return resolve(context);
    } finally {
      this.#skipsThen = false;
    }
  }
}
