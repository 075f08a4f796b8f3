/**
 * Serves requests that come without a connection, through `inject` and `fetch`: before boot, while the application runs, and after it was
 * closed.
 */
import { createRequire } from 'node:module';
import { addPlace, CallSite } from '../shared/call-site.ts';
import { earlyError } from '../shared/early-error.ts';
import { bun, deno, isNode } from '../shared/js-runtime.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import { describeError } from '../shared/readable.ts';
import { isWebRequest } from '../shared/values.ts';
import { AlreadyClosed, FetchRequestInvalid, RuntimeUnsupported } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import type { ErrorTranslator } from '../types/flavor.ts';
import type { AmbitOptions, FetchExecution } from '../types/options.ts';
import type { ErrorFormat } from '../types/problems.ts';
import { warnOptionsUnused } from '../types/warnings.ts';
import { injectInto } from './inject.ts';
import type { Transport } from './transport.ts';

const require = createRequire(import.meta.url);

const loadFetch = lazyModule<typeof import('./fetch-exchange.ts')>(() => require('./fetch-exchange.ts'));

/** On Deno and in workers. */
const checksHost = !isNode && bun === undefined;

type InjectCallback = (error: Error | undefined, response: undefined) => void;

/** What these requests need from the application. */
export interface UnconnectedHost {
  readonly transport: Transport;
  readonly userOptions: AmbitOptions;
  readonly closing: { readonly isClosed: boolean; readonly isShuttingDown: boolean };
  readonly boot: { readonly isReady: boolean; whenReady(): Promise<unknown> };
  readonly format: ErrorFormat;
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
    const { transport, closing, boot, format, translateError } = this.#host;
    if (!isWebRequest(request))
      throw translateError(new FetchRequestInvalid(request === null ? 'null' : typeof request));
    if (closing.isClosed) return earlyResponse(format, { status: 503, message: 'Service Unavailable' });
    if (!boot.isReady) await boot.whenReady();
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
    if (typeof execution?.waitUntil === 'function') x.waitUntil = (work) => execution.waitUntil(work);
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
    const { transport, closing, boot } = this.#host;
    if (closing.isClosed || (closing.isShuttingDown && this.hasServed)) return this.#refuse(callback);
    this.hasServed = !closing.isShuttingDown;
    const whenReady = boot.isReady ? undefined : () => boot.whenReady();
    return injectInto(transport.handleInjected, whenReady, options, callback as never);
  }

  #refuse(callback: InjectCallback | undefined): Promise<never> | undefined {
    const error = this.#host.translateError(describeError(new AlreadyClosed(), { prefix: '' }));
    addPlace(error, () => ({ plugin: this.#host.path, file: new CallSite().file }));
    if (callback === undefined) return Promise.reject(error);
    callback(error, undefined);
    return undefined;
  }
}

/** Options that create or configure a server. They have no effect on an application that something else serves. */
export const serverOptions = [
  'http https http2 engine serverFactory clientErrorHandler connectionTimeout',
  'headersTimeout keepAliveTimeout requestTimeout maxRequestsPerSocket forceCloseConnections',
].flatMap((names) => names.split(' ')) as (keyof AmbitOptions)[];

/** A host with an optional port (RFC 9110, 7.2; RFC 3986, 3.2.2). It may be empty. */
const validHost = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/**
 * Deno and workerd make the field `host` a part of the URL, and do not check it. With `host: example.org/admin`, a request for `/status`
 * would reach the route of `/admin/status`.
 *
 * @returns `undefined` if the field is valid, or missing.
 */
export function refuseWrongHost({ headers }: Request, format: ErrorFormat): Response | undefined {
  const host = headers.get('host');
  if (host === null || validHost.test(host)) return undefined;
  return earlyResponse(format, { status: 400, message: 'Client Error' });
}

/**
 * Refuses a WebSocket request, if the application serves WebSockets on the sockets of node's server. With `app.fetch`, there is no socket,
 * and routes would handle the request like any other.
 */
function refuseUpgrade(
  { headers }: Request,
  server: { listenerCount?(event: string): number },
  format: ErrorFormat,
): Response | undefined {
  // The cheaper check first: runtimes create the headers when they are first read.
  if (!server.listenerCount?.('upgrade')) return undefined;
  if (headers.get('upgrade')?.toLowerCase() !== 'websocket') return undefined;
  const { message, code } = new RuntimeUnsupported(
    "the event 'upgrade' of app.server",
    'Requests of `app.fetch` have no socket: serve the application with `listen`',
  );
  return earlyResponse(format, { status: 501, message, code });
}

/** A response to a request that no route gets. */
function earlyResponse(format: ErrorFormat, error: Parameters<typeof earlyError>[1]): Response {
  const { fields, body } = earlyError(format, error);
  return new Response(body, { status: error.status, headers: fields });
}

/** The running exchanges that did not come over a connection of the application's servers. */
export class UnconnectedExchanges {
  readonly #running = new Set<Exchange>();
  readonly #onEmpty: (() => void)[] = [];
  readonly #watched = new WeakSet<Exchange>();

  get running(): readonly Exchange[] {
    return [...this.#running];
  }

  // HOT: once per request.
  add(exchange: Exchange): void {
    this.#running.add(exchange);
  }

  // HOT: once per request.
  delete(exchange: Exchange): void {
    this.#running.delete(exchange);
    if (this.#onEmpty.length > 0 && this.#running.size === 0)
      for (const resolve of this.#onEmpty.splice(0)) resolve();
  }

  /**
   * Ends exchanges whose client has left or leaves from now on, because nobody gets their responses. Without this call, they end with
   * their handlers, because to watch clients costs time. Each client is watched once, however often closing calls this.
   */
  watchClients(): void {
    for (const exchange of this.running) {
      if (this.#watched.has(exchange)) continue;
      this.#watched.add(exchange);
      exchange.onClientGone(() => {});
    }
  }

  /** Resolves when no exchange is running. */
  async whenEmpty(): Promise<void> {
    if (this.#running.size > 0) await new Promise<void>((resolve) => this.#onEmpty.push(resolve));
  }
}
