/** Owns the plugin: it watches the application, and serves what the page reads. */
import { type Context, type Reply, type Request, recordDeclarationSites } from 'ambit';
import { makeGuard } from './access.ts';
import { describeRoute } from './inspect-route.ts';
import { checkOptions, type InspectorOptions } from './options.ts';
import { markOwnContext } from './own-contexts.ts';
import { hidden, servePage, withHead } from './serve-page.ts';
import { WatchedApplication } from './watched-application.ts';

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
  servePage(context, path);
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

type AnyRequest = Request & { readonly query: Readonly<Record<string, string>> };

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
