/** What a developer's own client gets: the page of an error, and the routes that a URL is near to. Loaded with its first request. */
import { createRequire } from 'node:module';
import type { RequestRecord } from '@ambit/readable';
import { nodeOf } from '../context/definitions.ts';
import { statusText } from '../shared/http-facts.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import { nearestName } from '../shared/nearest-name.ts';
import { reportError } from '../shared/readable.ts';
import { attempt, textOf } from '../shared/thrown-values.ts';
import type { Exchange } from '../types/exchange.ts';
import type { RunningStep } from '../types/inspection.ts';
import type { Plan } from '../types/plan.ts';
import { wrapSteps } from './tracing.ts';

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
  const { developmentSession, pageHeaders, errorPage: write } = loadReadable();
  const record = recordOf(x);
  if (record === undefined || !isLocal(x)) return undefined;
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

const records = new WeakMap<Exchange, RequestRecord<RunningStep> | undefined>();

/** The record of a request that may get the page: a browser of this machine navigates. Makes no objects of node. */
function recordOf(x: Exchange): RequestRecord<RunningStep> | undefined {
  if (!records.has(x)) {
    const { isNavigation, isLoopback, RequestRecord } = loadReadable();
    const isWanted = nodeOf(x.plan.context).app.options.userOptions.errorPage ?? true;
    const mayGetPage = isWanted && isNavigation(x.request.headers) && isLoopback(x.peerAddress);
    records.set(x, mayGetPage ? new RequestRecord(x.request) : undefined);
  }
  return records.get(x);
}

const recordedPlans = new WeakMap<Plan, Plan>();

/** Returns the same plan with steps that are recorded. */
export function recordedPlan(plan: Plan): Plan {
  let recorded = recordedPlans.get(plan);
  if (recorded === undefined) {
    const steps = wrapSteps(plan.steps, (x, step, run) => {
      attempt(() => recordOf(x)?.begin(step));
      return run();
    });
    recorded = Object.freeze({ ...plan, steps, notFound: plan.notFound && recordedPlan(plan.notFound) });
    recordedPlans.set(plan, recorded);
  }
  return recorded;
}
