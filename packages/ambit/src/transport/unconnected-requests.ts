/**
 * Serves requests that come without a connection, through `inject` and `fetch`: before boot, while the application runs, and after it was
 * closed.
 */

import { CallSite, locateError } from '../shared/call-site.ts';
import { earlyError } from '../shared/early-error.ts';
import { bun, deno, isNode } from '../shared/js-runtime.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import { isWebRequest } from '../shared/values.ts';
import { AlreadyClosed, FetchRequestInvalid } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import type { ErrorTranslator } from '../types/flavor.ts';
import type { AmbitOptions, FetchExecution } from '../types/options.ts';
import { warnOptionsUnused } from '../types/warnings.ts';
import { injectInto } from './inject.ts';
import { refuseUpgrade } from './refuse-upgrade.ts';
import { refuseWrongHost } from './refuse-wrong-host.ts';
import { serverOptions } from './server-options.ts';
import type { Transport } from './transport.ts';

const loadFetch = lazyModule<typeof import('./fetch-exchange.ts')>(() => require('./fetch-exchange.ts'));

/** On Deno and in workers. */
const checksHost = !isNode && bun === undefined;

type InjectCallback = (error: Error | undefined, response: undefined) => void;

/** What these requests need from the application. */
export interface UnconnectedHost {
  readonly transport: Transport;
  readonly userOptions: AmbitOptions;
  readonly closing: { readonly isClosed: boolean; readonly isShuttingDown: boolean };
  readonly lifecycle: { readonly isReady: boolean; whenReady(): Promise<unknown> };
  /** The format of errors. */
  readonly format: 'json' | 'problem';
  /** The path of the root context, for errors. */
  readonly path: string;
  readonly translateError: ErrorTranslator;
  dispatch(x: Exchange): void;
}

export class UnconnectedRequests {
  /** Whether the application has listened, or a request came here. */
  hasServed = false;
  readonly #host: UnconnectedHost;
  #isChecked = false;

  constructor(host: UnconnectedHost) {
    this.#host = host;
  }

  async fetch(request: Request, context: unknown, execution: FetchExecution | undefined): Promise<Response> {
    const { transport, closing, lifecycle, format, translateError } = this.#host;
    if (!isWebRequest(request))
      throw translateError(new FetchRequestInvalid(request === null ? 'null' : typeof request));
    if (closing.isClosed) return unavailable(format);
    if (!lifecycle.isReady) await lifecycle.whenReady();
    // As in `openDenoServer`, so that later requests do not see the stores of this one.
    else if (deno !== undefined) await undefined;
    // Servers pass a second argument, and tests usually do not.
    if (!this.#isChecked && context !== undefined) this.#checkOptions();
    this.hasServed = true;
    const { FetchExchange } = loadFetch();
    const rejection =
      (checksHost && context !== undefined ? refuseWrongHost(request, format) : undefined) ??
      refuseUpgrade(request, transport.server, format);
    if (rejection !== undefined) return rejection;
    const x = new FetchExchange(request, context, transport.unconnected);
    x.execution = execution;
    x.run(this.#host.dispatch);
    return x.answer;
  }

  /** Options of a server would protect nothing if another server serves the application, so the process warns once. */
  #checkOptions(): void {
    this.#isChecked = true;
    const { userOptions, transport } = this.#host;
    const names = serverOptions.filter((name) => userOptions[name]);
    if (names.length > 0 && transport.addresses().length === 0) warnOptionsUnused(names.join(', '));
  }

  /** While the application closes, requests are served only if no request was served before. @returns As `injectInto`. */
  inject(options: unknown, callback: InjectCallback | undefined): unknown {
    const { transport, closing, lifecycle } = this.#host;
    if (closing.isClosed || (closing.isShuttingDown && this.hasServed)) return this.#refuse(callback);
    this.hasServed = !closing.isShuttingDown;
    const whenReady = lifecycle.isReady ? undefined : () => lifecycle.whenReady();
    if (callback === undefined || whenReady === undefined)
      return injectInto(transport.handleInjected, whenReady, options, callback as never);
    whenReady().then(
      () => injectInto(transport.handleInjected, undefined, options, callback as never),
      (error) => callback(error, undefined),
    );
    return undefined;
  }

  #refuse(callback: InjectCallback | undefined): Promise<never> | undefined {
    const error = this.#host.translateError(new AlreadyClosed());
    locateError(error, () => ({ plugin: this.#host.path, file: new CallSite().location }));
    if (callback === undefined) return Promise.reject(error);
    callback(error, undefined);
    return undefined;
  }
}

/** The response of a closed application, whose routes are not called any more. */
function unavailable(format: 'json' | 'problem'): Response {
  const { fields, body } = earlyError(format, { status: 503, message: 'Service Unavailable' });
  return new Response(body, { status: 503, headers: fields });
}
