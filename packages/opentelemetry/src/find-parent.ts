/** Finds the parent of the span of a request. */
import type { Context } from '@opentelemetry/api';
import type { RequestTrace } from 'ambit';
import type { Api } from './api.ts';
import { requestKey } from './request-span.ts';

/** Reads single headers of a request, so that the object with all headers is not created. */
const headers = {
  keys: ({ request }: RequestTrace) => Object.keys(request.headers),
  get: (trace: RequestTrace, name: string) => trace.header(name.toLowerCase()),
};

/**
 * Returns the parent from the headers of the request (W3C Trace Context). Inside a span of other code, such as a server that calls
 * `fetch`, the parent is that span. A context of code that has ended or of an earlier request, which a connection may still have, is not
 * a parent.
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
