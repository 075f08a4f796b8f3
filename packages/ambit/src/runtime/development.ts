/** What a developer's own client gets: the page of an error, and the routes that a URL is near to. Loaded with its first request. */
import { createRequire } from 'node:module';
import type { RequestRecord } from '@ambit/readable';
import { nodeOf } from '../context/definitions.ts';
import { statusText } from '../shared/http-facts.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import { nearestName } from '../shared/nearest-name.ts';
import { reportError } from '../shared/readable.ts';
import { textOf } from '../shared/thrown-values.ts';
import type { Exchange } from '../types/exchange.ts';
import type { RunningStep } from '../types/inspection.ts';

const require = createRequire(import.meta.url);

const loadReadable = lazyModule<typeof import('@ambit/readable')>(() => require('@ambit/readable'));

/** Whether the client is on this machine, and not behind a proxy: only such a client may learn which routes or files there are. */
function isLocal(x: Exchange): boolean {
  const socket = { remoteAddress: x.peerAddress };
  return (
    loadReadable().reasonNotLocal({ headers: x.request.headers, raw: x.rawRequest, socket }) === undefined
  );
}

/** The routes that a request was probably meant for, as `POST /notes`; `undefined` if there is none, or if the client must not know. */
export function nearestRoutes(x: Exchange): string[] | undefined {
  if (!isLocal(x)) return undefined;
  const { server, context } = x.plan;
  const routes = [...nodeOf(nodeOf(context).app.root).descendants()]
    .flatMap((node) => node.routes)
    .filter(({ options, isAutomatic }) => !isAutomatic && Object(options.schema).hide !== true)
    .map(({ options, url }) => ({ methods: [options.method].flat(), url }));
  const request = { method: x.method, path: server.canonicalPath(x.url) };
  const nearest = loadReadable().nearestRoutes(request, routes, nearestName);
  return nearest.length === 0 ? undefined : nearest;
}

/**
 * The page of an error, for a browser that has navigated to the URL; `undefined` for any other client. Sets the headers of the page.
 *
 * @param error What is answered by the default error handler, `undefined` if no route was found.
 */
export function errorPage(x: Exchange, error: unknown): string | undefined {
  const { server, info, isNotFound } = x.plan;
  const { request, method, status } = x;
  const { developmentSession, pageHeaders, RequestRecord, errorPage: write } = loadReadable();
  if (!mayGetPage(x) || !isLocal(x)) return undefined;
  const record = records.get(x) ?? new RequestRecord(request);
  const page = write({
    status,
    statusText: statusText(status) ?? '',
    error,
    report: error === undefined ? undefined : reportError(error),
    nearestRoutes: isNotFound ? nearestRoutes(x) : undefined,
    saveProblem: developmentSession()?.problem,
    request: { method, id: textOf(request.id), route: info.url },
    recorded:
      server.watchers.map((watcher) => watcher.describe?.(request)).find(Boolean) ?? record.describe(),
  });
  Object.assign(x.replyHeaders, pageHeaders);
  return page;
}

/** Whether it is wanted, and a browser of this machine navigates. Reads nothing that makes node's objects of the request. */
function mayGetPage(x: Exchange): boolean {
  const { isNavigation, isLoopback } = loadReadable();
  const isWanted = nodeOf(x.plan.context).app.options.userOptions.errorPage ?? true;
  return isWanted && isNavigation(x.request.headers) && isLoopback(x.peerAddress);
}

/** The records of requests that may get the page. */
const records = new WeakMap<Exchange, RequestRecord<RunningStep> | undefined>();

/** Records that a step begins, if the request may get the page. */
export function recordStep(x: Exchange, step: RunningStep): void {
  if (!records.has(x))
    records.set(x, mayGetPage(x) ? new (loadReadable().RequestRecord)(x.request) : undefined);
  records.get(x)?.begin(step);
}
