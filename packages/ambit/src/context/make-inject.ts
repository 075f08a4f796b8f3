/** Makes `app.inject`: a function that takes any request, with a method for each kind of typed call. */
import type { Inject, InjectOptions } from '../contract/inject.ts';
import { callMethods } from '../kit/call-methods.ts';
import { fillPath } from '../kit/fill-path.ts';
import type { AppState } from './app-state.ts';

interface Call extends Omit<InjectOptions, 'query' | 'body' | 'payload'> {
  params?: Record<string, unknown>;
  query?: unknown;
  body?: unknown;
}

export function makeInject(app: Pick<AppState, 'inject'>): Inject {
  const inject = (options?: never, callback?: never): unknown => app.inject(options, callback);
  const by =
    (method: string) =>
    (path: string, { params, ...rest }: Call = {}): unknown =>
      app.inject({ ...(rest as InjectOptions), method, url: fillPath(path, params) });
  const calls = callMethods.map((name) => [name, by(name.toUpperCase())]);
  return Object.assign(inject, Object.fromEntries(calls)) as unknown as Inject;
}
