/** Owns the plugin: it watches the application, and serves the page and what the page reads. */
import { randomUUID } from 'node:crypto';
import {
  type Context,
  type Reply,
  type Request,
  recordDeclarationSites,
  type SerializationChange,
  watchRequests,
  watchSerialization,
} from 'ambit';
import { makeGuard } from './access.ts';
import { type InspectedApplication, inspectBooted } from './inspect.ts';
import { describeRoute } from './inspect-route.ts';
import { checkOptions, type InspectorOptions } from './options.ts';
import { markOwnContext } from './own-contexts.ts';
import { pageFileNames, readPageFile } from './page-files.ts';
import { Redactor } from './redact.ts';
import { RequestLog, type RoutePattern } from './request-log.ts';

/** The page loads nothing from elsewhere, and no other page may frame it. */
const pagePolicy =
  "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const hidden = { hide: true };

/**
 * Serves a page that shows the application: `/__ambit`, below the prefix of the context that it is registered in. It shows the whole
 * application. In production (`NODE_ENV`), it does nothing unless a guard is given.
 *
 * @param context The context that it is registered in.
 * @param options What it shows, and to whom.
 * @throws {AMBIT_ERR_INSPECTOR_OPTION} for an option that is unknown, or whose value is wrong.
 */
export async function inspector(context: Context, options: InspectorOptions): Promise<void> {
  checkOptions(options);
  if (process.env.NODE_ENV === 'production' && options.guard === undefined) return;
  // In production, the import has not.
  recordDeclarationSites();
  markOwnContext(context);
  const watched = new WatchedApplication(rootOf(context), options);
  const { path = '/__ambit' } = options;
  context.addHook('onRequest', makeGuard(options));
  serveFiles(context, path);
  serveData(context, path, watched);
  serveEvents(context, path, watched);
}

/** The root of the application: the last object of the chain that is a context. */
function rootOf(context: Context): Context {
  let root = context;
  for (
    let next: Context = Object.getPrototypeOf(root);
    next.server !== undefined;
    next = Object.getPrototypeOf(next)
  )
    root = next;
  return root;
}

/** The application that the page shows. */
class WatchedApplication {
  /** Another one in each process. */
  readonly id = randomUUID();
  readonly requests: RequestLog;
  readonly #root: Context;
  readonly #changes = new Map<string, SerializationChange[]>();
  #inspected: InspectedApplication | undefined;
  #routeIds: Map<unknown, Map<string, number>> | undefined;

  constructor(root: Context, { maxRequestBytes = 1024 * 1024, redact }: InspectorOptions) {
    this.#root = root;
    this.requests = new RequestLog(maxRequestBytes, new Redactor(redact));
    watchRequests(root, this.requests);
    watchSerialization(root, (change) => this.#addChange(change));
  }

  /** Made when the page is first asked for: boot does not wait for it. */
  get inspected(): InspectedApplication {
    this.#inspected ??= inspectBooted(this.#root);
    return this.#inspected;
  }

  changesOf(id: number): readonly SerializationChange[] {
    const { methods, url } = this.inspected.model.routes[id]!;
    return this.#changes.get(`${methods} ${url}`) ?? [];
  }

  #addChange(change: SerializationChange): void {
    const key = `${change.method} ${change.url}`;
    const known = this.#changes.get(key);
    const kept = withoutValues(change);
    if (known === undefined) this.#changes.set(key, [kept]);
    else known.push(kept);
  }

  routeOf({ method, url, handler }: RoutePattern): number | null {
    this.#routeIds ??= this.#numberRoutes();
    return this.#routeIds.get(handler)?.get(`${method} ${url}`) ?? null;
  }

  #numberRoutes(): Map<unknown, Map<string, number>> {
    const ids = new Map<unknown, Map<string, number>>();
    this.inspected.routes.forEach(({ options: { handler }, method, url }, id) => {
      const byPattern = ids.get(handler) ?? new Map<string, number>();
      ids.set(handler, byPattern.set(`${method} ${url}`, id));
    });
    return ids;
  }
}

/** The most characters that are remembered of a path: properties may have any name. */
const maxPath = 200;

/** What was changed, without the value: values of payloads are not remembered. The serializer reports a change 100 times at most. */
function withoutValues(change: SerializationChange): SerializationChange {
  const { kind, path, message } = change;
  return {
    ...change,
    // A text of its own: a part of the long one would keep it in memory.
    path: path.length > maxPath ? JSON.parse(JSON.stringify(`${path.slice(0, maxPath)}…`)) : path,
    message: kind === 'coerced' ? describeCoercion(message) : message,
  };
}

/** `string "42" was written as 42` becomes `string was written as a number`. */
function describeCoercion(message: string): string {
  const between = ' was written as ';
  const written = message.slice(message.lastIndexOf(between) + between.length);
  const shown = /^(?:null|\{\}|an object|an array)$/.test(written)
    ? written
    : /^-?\d/.test(written)
      ? 'a number'
      : /^(?:true|false)$/.test(written)
        ? 'a boolean'
        : 'another text';
  return `${message.split(' ', 1)}${between}${shown}`;
}

type AnyRequest = Request & { readonly query: Readonly<Record<string, string>> };

function serveFiles(context: Context, path: string): void {
  const folder = path.slice(path.lastIndexOf('/') + 1);
  context.get(path, { schema: hidden as never, exposeHeadRoute: false }, (_request, reply) =>
    withHead(reply, 'text/html; charset=utf-8')
      .header('content-security-policy', pagePolicy)
      .header('referrer-policy', 'no-referrer')
      .send(htmlOf(folder) as never),
  );
  for (const name of pageFileNames) {
    context.get(`${path}/${name}`, { schema: hidden as never, exposeHeadRoute: false }, (request, reply) => {
      const { type, etag, text, packed } = readPageFile(name);
      withHead(reply, type).header('etag', etag).header('vary', 'accept-encoding');
      if (request.headers['if-none-match'] === etag) return reply.code(304).send(undefined as never);
      if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.send(text as never);
      return reply.header('content-encoding', 'gzip').send(packed as never);
    });
  }
}

function serveData(context: Context, path: string, watched: WatchedApplication): void {
  const serve = (name: string, read: (request: AnyRequest) => unknown): void => {
    context.get(
      `${path}/${name}.json`,
      { schema: hidden as never, exposeHeadRoute: false },
      (request, reply) => {
        const data = read(request as AnyRequest);
        if (data === undefined) {
          reply.callNotFound();
          return reply;
        }
        return withHead(reply, 'application/json; charset=utf-8').send(JSON.stringify(data) as never);
      },
    );
  };
  serve('model', () => watched.inspected.model);
  serve('route', ({ query }) => {
    const id = Number(query.id);
    const route = watched.inspected.routes[id];
    return route && describeRoute(route, id, watched.changesOf(id));
  });
  serve('requests', ({ query }) => ({
    requests: watched.requests.list(Number(query.after) || 0, (pattern) => watched.routeOf(pattern)),
    bytes: watched.requests.bytes,
  }));
}

const eventSchema = {
  type: 'object',
  properties: { event: { type: 'string' }, id: { type: 'string' }, data: { type: 'string' } },
} as const;

/**
 * Server-sent events: `application` names the process when the page connects, `requests` has those that were answered since, with
 * their bytes. The id of an event has both names, so that a page that connects again gets what it has missed, and all of another process.
 */
function serveEvents(context: Context, path: string, watched: WatchedApplication): void {
  const response = { 200: { content: { 'text/event-stream': { itemSchema: eventSchema } } } };
  const read = async function* (request: AnyRequest, reply: Reply): AsyncGenerator<object> {
    const { id, requests } = watched;
    const { signal, query, headers } = request;
    const [of, number] = String(headers['last-event-id'] ?? query.after ?? '').split('.');
    let last = of === id ? Number(number) || 0 : 0;
    withHead(reply, 'text/event-stream');
    yield { event: 'application', data: id };
    while (!signal.aborted) {
      const list = requests.list(last, (pattern) => watched.routeOf(pattern));
      last = list.at(-1)?.number ?? last;
      if (list.length === 0) await requests.nextEnd(signal);
      else {
        const data = JSON.stringify({ requests: list, bytes: requests.bytes });
        yield { event: 'requests', id: `${id}.${last}`, data };
      }
    }
  };
  const options = { schema: { ...hidden, response } as never, exposeHeadRoute: false };
  context.get(`${path}/events`, options, read as never);
}

function withHead(reply: Reply, type: string): Reply {
  return reply
    .header('content-type', type)
    .header('cache-control', 'no-cache')
    .header('x-content-type-options', 'nosniff')
    .header('cross-origin-resource-policy', 'same-origin')
    .header('cross-origin-opener-policy', 'same-origin') as Reply;
}

/** References are relative, because a proxy may add a prefix that the application does not know. */
function htmlOf(folder: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Ambit inspector</title>
<link rel="icon" href="${folder}/icon.svg">
<link rel="stylesheet" href="${folder}/page.css">
<script type="module" src="${folder}/page.js"></script>
</head>
<body>
<noscript>The inspector needs JavaScript. What it shows is in <a href="${folder}/model.json">model.json</a>.</noscript>
</body>
</html>
`;
}
