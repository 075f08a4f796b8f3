/** Makes `app.inject`: a function that takes any request, with a method for each kind of typed call. */
import { Readable } from 'node:stream';
import type { ReadableStream as NodeWebStream } from 'node:stream/web';
import type { InjectOptions } from '../contract/inject-options.ts';
import type { Inject } from '../contract/typed-inject.ts';
import { callMethods, isSentAsJson } from '../shared/call-methods.ts';
import { fillPath } from '../shared/fill-path.ts';
import { isNodeStream } from '../shared/payload-shapes.ts';
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
    (path: string, { params, body, headers = {}, ...rest }: Call = {}): unknown =>
      app.inject({
        ...(rest as InjectOptions),
        method,
        url: fillPath(path, params),
        ...withBody(body, headers as NonNullable<InjectOptions['headers']>),
      });
  const calls = callMethods.map((name) => [name, by(name.toUpperCase())]);
  return Object.assign(inject, Object.fromEntries(calls)) as unknown as Inject;
}

/** The body as the client would send it. */
function withBody(body: unknown, headers: NonNullable<InjectOptions['headers']>): InjectOptions {
  if (body === undefined) return { headers };
  const named = Object.keys(headers).find((name) => name.toLowerCase() === 'content-type');
  const withType = (type: string | null): InjectOptions['headers'] & object =>
    named !== undefined || type === null ? headers : { ...headers, 'content-type': type };
  if (isNodeStream(Object(body))) return { headers, payload: body as Readable };
  if (isSentAsJson(body, named && String(headers[named])))
    return { headers: withType('application/json'), payload: JSON.stringify(body) };
  const carrier = new Response(body as NonNullable<ConstructorParameters<typeof Response>[0]>);
  return {
    headers: withType(carrier.headers.get('content-type')),
    payload: typeof body === 'string' ? body : Readable.fromWeb(carrier.body as NodeWebStream),
  };
}
