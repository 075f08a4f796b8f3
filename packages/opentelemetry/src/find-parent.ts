/** Finds the parent of the span of a request. */
import type { Context } from '@opentelemetry/api';
import type { RequestTrace } from 'ambit';
import type { Api } from './api.ts';
import { requestKey } from './request-span.ts';

/** Reads headers of a request one by one: the object of all headers need not be made. */
const headers = {
  keys: ({ request }: RequestTrace) => Object.keys(request.headers),
  get: (trace: RequestTrace, name: string) => trace.header(name.toLowerCase()),
};

/**
 * The parent is what the request names (W3C Trace Context). Inside a span of other code, such as a server that calls `fetch`, it is that
 * span. Connections may keep the context of code that has ended, or of an earlier request: it is no parent.
 */
export function findParent(api: Api, trace: RequestTrace): { parent: Context; kind: number } {
  const { context, propagation, trace: traces, ROOT_CONTEXT, SpanKind } = api;
  const active = context.active();
  const isInOtherCode =
    traces.getSpan(active)?.isRecording() === true && active.getValue(requestKey) === undefined;
  return isInOtherCode
    ? { parent: active, kind: SpanKind.INTERNAL }
    : { parent: propagation.extract(ROOT_CONTEXT, trace, headers), kind: SpanKind.SERVER };
}
