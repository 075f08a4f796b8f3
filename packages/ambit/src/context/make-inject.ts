/** Creates `app.inject`: a function that takes any request, and has one method per HTTP method for typed calls. */
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
  const makeCall =
    (method: string) =>
    (path: string, { params, body, headers = {}, ...rest }: Call = {}): unknown =>
      app.inject({
        ...(rest as InjectOptions),
        method,
        url: fillPath(path, params),
        ...withBody(body, headers as NonNullable<InjectOptions['headers']>),
      });
  const calls = callMethods.map((name) => [name, makeCall(name.toUpperCase())]);
  return Object.assign(inject, Object.fromEntries(calls)) as unknown as Inject;
}

/** The body and its headers as a client would send them. */
function withBody(body: unknown, headers: NonNullable<InjectOptions['headers']>): InjectOptions {
  if (body === undefined) return { headers };
  const contentTypeName = Object.keys(headers).find((name) => name.toLowerCase() === 'content-type');
  const withType = (type: string | null): InjectOptions['headers'] & object =>
    contentTypeName !== undefined || type === null ? headers : { ...headers, 'content-type': type };
  if (isNodeStream(Object(body))) return { headers, payload: body as Readable };
  if (isSentAsJson(body, contentTypeName && String(headers[contentTypeName])))
    return { headers: withType('application/json'), payload: JSON.stringify(body) };
  const webResponse = new Response(body as NonNullable<ConstructorParameters<typeof Response>[0]>);
  return {
    headers: withType(webResponse.headers.get('content-type')),
    payload: typeof body === 'string' ? body : Readable.fromWeb(webResponse.body as NodeWebStream),
  };
}
