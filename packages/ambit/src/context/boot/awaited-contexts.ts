/** Makes contexts thenable during boot: `await app.register(…)` waits until what is registered has loaded. */
import type { Context } from '../../contract/context.ts';

export class AwaitedContexts {
  readonly #whenLoaded: () => Promise<void>;
  /** Whether the next read of `then` is that of a promise that is being resolved with the context. */
  #skipsThen = false;

  /** @param whenLoaded Resolves when everything registered so far has loaded. */
  constructor(whenLoaded: () => Promise<void>) {
    this.#whenLoaded = whenLoaded;
  }

  /** Something was registered, so the next read of `then` is one that waits for it. */
  add(): void {
    this.#skipsThen = false;
  }

  /** Its promise resolves with the context. */
  thenOf(context: Context): PromiseLike<Context>['then'] | undefined {
    // Resolving with the context reads its `then` again; that one must not wait, or it would never end.
    if (this.#skipsThen) {
      this.#skipsThen = false;
      return undefined;
    }
    return ((resolve: (context: Context) => unknown, reject: (error: unknown) => unknown) =>
      this.#whenLoaded().then(() => this.#resolve(context, resolve), reject)) as PromiseLike<Context>['then'];
  }

  /** A promise reads `then` while it is being resolved, or never: a listener that is no promise's reads what it likes later. */
  #resolve(context: Context, resolve: (context: Context) => unknown): unknown {
    this.#skipsThen = true;
    try {
      return resolve(context);
    } finally {
      this.#skipsThen = false;
    }
  }
}
