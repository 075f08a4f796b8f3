/** The plugin: it watches the application, and serves the page and its data. */
import { type Context, type Reply, type Request, recordDeclarationSites } from 'ambit';
import { markOwnContext } from './inspect.ts';
import { describeRoute } from './inspect-route.ts';
import { checkOptions, createGuard, type InspectorOptions } from './options.ts';
import { hidden, servePage, setHeaders } from './serve-page.ts';
import { WatchedApplication } from './watched-application.ts';

/**
 * Serves a page that shows the application: `/__ambit`, below the prefix of the context that it is registered in. It shows the whole
 * application. In production (`NODE_ENV`), it does nothing without a guard.
 *
 * @param context The context that it is registered in.
 * @param options The path, the guard, and how requests are stored.
 * @throws {AMBIT_ERR_INSPECTOR_OPTION} for an unknown option or an invalid value.
 */
export async function inspector(context: Context, options: InspectorOptions): Promise<void> {
  checkOptions(options);
  if (process.env.NODE_ENV === 'production' && options.guard === undefined) return;
  // In production, the import has not done this.
  recordDeclarationSites();
  markOwnContext(context);
  const { path = '/__ambit' } = options;
  const application = new WatchedApplication(rootOf(context), `${context.prefix}${path}`, options);
  context.addHook('onRequest', createGuard(options));
  context.addHook('onClose', async () => application.close());
  servePage(context, path);
  serveData(context, path, application);
  serveEvents(context, path, application);
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

function serveData(context: Context, path: string, application: WatchedApplication): void {
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
        return setHeaders(reply, 'application/json; charset=utf-8').send(JSON.stringify(data) as never);
      },
    );
  };
  serve('model', () => application.inspected.model);
  serve('route', ({ query }) => {
    const id = Number(query.id);
    const route = application.inspected.routes[id];
    return route && describeRoute(route, id, application.changesOf(id));
  });
  serve('requests', ({ query }) => ({
    requests: application
      .requestsAfter(0)
      .filter(({ number }) => query.after === undefined || number > (Number(query.after) || 0)),
    bytes: application.requests.bytes,
  }));
}

const eventSchema = {
  type: 'object',
  properties: {
    event: { type: 'string' },
    id: { type: 'string' },
    data: { type: 'string' },
    retry: { type: 'integer' },
  },
} as const;

/**
 * Sends server-sent events: `problem` has the error of the last save under `ambit dev`, or `null`. `process` has samples of what the process
 * uses, one a second. `application` has the id of the process when the page connects, and `requests` the requests that have begun,
 * changed or ended since, with their bytes; one that was sent before has the same number. The id of an event has the id of the process and
 * the last change. So a page that reconnects gets what it has missed, or all requests if the process is another one.
 */
function serveEvents(context: Context, path: string, application: WatchedApplication): void {
  const response = { 200: { content: { 'text/event-stream': { itemSchema: eventSchema } } } };
  const read = async function* (request: AnyRequest, reply: Reply): AsyncGenerator<object> {
    const { id, requests } = application;
    const { signal, query, headers } = request;
    const [processId, revision] = String(headers['last-event-id'] ?? query.after ?? '').split('.');
    let last = processId === id ? Number(revision) || 0 : 0;
    setHeaders(reply, 'text/event-stream');
    // A page looks for the next process soon after a restart.
    yield { event: 'application', data: id, retry: 300 };
    let lastProblem: unknown;
    let lastSampleAt = 0;
    while (!signal.aborted) {
      const problem = application.session?.problem;
      if (problem !== lastProblem) yield { event: 'problem', data: JSON.stringify(problem ?? null) };
      lastProblem = problem;
      const samples = application.process.samples.filter(({ at }) => at > lastSampleAt);
      if (samples.length > 0) yield { event: 'process', data: JSON.stringify(samples) };
      lastSampleAt = samples.at(-1)?.at ?? lastSampleAt;
      const list = application.requestsAfter(last);
      last = requests.revision;
      if (list.length > 0) {
        const data = JSON.stringify({ requests: list, bytes: requests.bytes });
        yield { event: 'requests', id: `${id}.${last}`, data };
      }
      await requests.nextChange(last, signal);
    }
  };
  const options = { schema: { ...hidden, response } as never, exposeHeadRoute: false };
  context.get(`${path}/events`, options, read as never);
}
