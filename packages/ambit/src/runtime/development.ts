/** What a developer's own client gets: the page of an error, and the routes that a URL is near to. Loaded with the first such reply. */
import { createRequire } from 'node:module';
import { nodeOf } from '../context/definitions.ts';
import { statusText } from '../shared/http-facts.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import { nearestName } from '../shared/nearest-name.ts';
import { reportError } from '../shared/readable.ts';
import { textOf } from '../shared/thrown-values.ts';
import type { Exchange } from '../types/exchange.ts';

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
  const { server, context, info, isNotFound } = x.plan;
  const { request, method, status } = x;
  const { originalUrl: url, headers, params, id } = request;
  const { isNavigation, pageHeaders, errorPage: write } = loadReadable();
  const isWanted = nodeOf(context).app.options.userOptions.errorPage ?? true;
  if (!isWanted || !isNavigation(headers) || !isLocal(x)) return undefined;
  const page = write({
    status,
    statusText: statusText(status) ?? '',
    error,
    report: error === undefined ? undefined : reportError(error),
    nearestRoutes: isNotFound ? nearestRoutes(x) : undefined,
    request: { method, url, headers, params, id: textOf(id), route: info.url },
    described: server.watchers.map((watcher) => watcher.describe?.(request)).find(Boolean),
  });
  Object.assign(x.replyHeaders, pageHeaders);
  return page;
}
