/** Creates `app.inject`: a function that takes any request, and has one method per HTTP method for typed calls. */
import { Readable } from 'node:stream';
import type { ReadableStream as NodeWebStream } from 'node:stream/web';
import { callMethods, fillPath, isSentAsJson, toFieldText, toJson, toTexts } from '../shared/typed-calls.ts';
import { isNodeStream } from '../shared/values.ts';
import type { Inject, InjectOptions } from '../types/inject.ts';
import type { AppState } from './app-state.ts';

interface Call extends Omit<InjectOptions, 'query' | 'body' | 'payload' | 'headers'> {
  params?: Record<string, unknown>;
  query?: string | Record<string, unknown>;
  headers?: Record<string, unknown>;
  body?: unknown;
}

export function makeInject(app: Pick<AppState, 'inject'>): Inject {
  const inject = (options?: never, callback?: never): unknown => app.inject(options, callback);
  const makeCall =
    (method: string) =>
    async (path: string, { params, query = {}, body, headers = {}, ...rest }: Call = {}): Promise<unknown> =>
      app.inject({
        ...rest,
        method,
        url: fillPath(path, params),
        query: typeof query === 'string' ? query : toFields(toTexts(query)),
        ...withBody(body, toFields(toTexts(headers, toFieldText))),
      });
  const calls = callMethods.map((name) => [name, makeCall(name.toUpperCase())]);
  return Object.assign(inject, Object.fromEntries(calls)) as unknown as Inject;
}

type Fields = Record<string, string | string[]>;

function toFields(entries: [name: string, texts: string[]][]): Fields {
  const fields: Fields = {};
  for (const [name, [first, ...more]] of entries)
    if (first !== undefined) fields[name] = more.length > 0 ? [first, ...more] : first;
  return fields;
}

/** The body and its headers as a client would send them. */
function withBody(body: unknown, headers: Fields): InjectOptions {
  if (body === undefined) return { headers };
  const contentTypeName = Object.keys(headers).find((name) => name.toLowerCase() === 'content-type');
  const withType = (type: string | null): Fields =>
    contentTypeName !== undefined || type === null ? headers : { ...headers, 'content-type': type };
  if (isNodeStream(Object(body))) return { headers, payload: body as Readable };
  if (isSentAsJson(body, contentTypeName && String(headers[contentTypeName])))
    return { headers: withType('application/json'), payload: toJson(body) };
  const webResponse = new Response(body as NonNullable<ConstructorParameters<typeof Response>[0]>);
  return {
    headers: withType(webResponse.headers.get('content-type')),
    payload: typeof body === 'string' ? body : Readable.fromWeb(webResponse.body as NodeWebStream),
  };
}
