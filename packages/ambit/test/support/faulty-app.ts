/** An application with a route for each place of its code and each fault, which tells what becomes of its requests. */
import { EventEmitter } from 'node:events';
import type { AmbitOptions, Context } from 'ambit';
import { type Fault, faults, otherPoints, type Point, stepPoints } from './injected-faults.ts';
import { closeAfterTest } from './serve.ts';
import type { RequestSpec } from './transports.ts';

export const points: Record<string, Point> = { ...stepPoints, ...otherPoints };

/** A case is the path of its route. */
export const pathOf = (point: string, fault: Fault): string => `/${point}-${fault.replaceAll(' ', '-')}`;

export type EndHook = 'onResponse' | 'onRequestAbort';

export interface Served {
  readonly app: Context;
  /** Emits the path of a request when its fault has been reached (`reached …`), and when such a hook has run (`onResponse …`). */
  readonly events: EventEmitter;
  /** The hooks that have run at the end of requests, in their order, by path. */
  readonly ends: Map<string, EndHook[]>;
}

export async function makeFaultyApp(
  make: (options?: AmbitOptions) => Context,
  options: AmbitOptions,
): Promise<Served> {
  const events = new EventEmitter().setMaxListeners(0);
  const ends = new Map<string, EndHook[]>();
  const note = (hook: EndHook, path: string): void => {
    ends.set(path, [...(ends.get(path) ?? []), hook]);
    events.emit(`${hook} ${path}`);
  };
  const app = make(options);
  closeAfterTest(app);
  app.addContentTypeParser('text/fault', { parseAs: 'string' }, async (_request, body) => body);
  app.addHook('onResponse', (request, _reply, done) => {
    note('onResponse', request.url);
    done();
  });
  app.addHook('onRequestAbort', (request, done) => {
    note('onRequestAbort', request.url);
    done();
  });
  // It listens to the socket while a request runs.
  app.addHook('onTimeout', (_request, _reply, done) => done());
  for (const [name, point] of Object.entries(points))
    for (const fault of faults) {
      const path = pathOf(name, fault);
      point.add(app, path, fault, () => events.emit(`reached ${path}`));
    }
  await app.ready();
  return { app, events, ends };
}

/** A request that passes every place. */
export const questionFor = (path: string): RequestSpec => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'text/fault' },
  body: 'body',
});
