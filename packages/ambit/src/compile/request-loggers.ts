/** Decides how the logger of each request is created, and whether there is one at all. */

import type { ContextNode } from '../context/context-node.ts';
import { isLogger } from '../context/make-logger.ts';
import { parseTraceParent } from '../shared/trace-parent.ts';
import type { Context } from '../types/context.ts';
import type { Exchange } from '../types/exchange.ts';
import type { ChildLoggerFactory } from '../types/logger.ts';
import type { Plan } from '../types/plan.ts';
import type { RegisteredRoute } from '../types/route-info.ts';

type LogDetails = {
  [Name in 'logLevel' | 'logSerializers' | 'childLoggerFactory']?: RegisteredRoute[Name] | undefined;
};

/** Returns `undefined` if the application has no logger. Otherwise, each request gets a child logger with its id. */
export function loggerMaker(node: ContextNode, details: LogDetails): Plan['makeLogger'] {
  const { app, api } = node;
  if (node.servesProbes) return undefined;
  const isDefault = (factory: ChildLoggerFactory<Context>): boolean =>
    factory === app.defaultChildLoggerFactory;
  const factory = details.childLoggerFactory || app.defaultChildLoggerFactory;
  if (!app.hasLogger && isDefault(factory)) return undefined;
  const { logLevel: level, logSerializers: serializers } = details;
  const label = app.logWriter.requestIdLogLabel;
  const { logsTraceContext } = app.options;
  return (x, id) => {
    // With an empty level, pino would create all its methods again for every child.
    const options = { ...(level && { level }), ...(serializers && { serializers }) };
    const bindings = { [label]: id, ...(logsTraceContext && traceBindings(x)) };
    // The default factory does not read the request, so node's request object need not be created.
    if (isDefault(factory)) return factory.call(api, app.log, bindings, options, undefined as never);
    const child = factory.call(api, app.log, bindings, options, x.rawRequest);
    isLogger(child, true);
    return child;
  };
}

/** Returns the trace of the request from its header; `undefined` if the header is missing or invalid. */
function traceBindings(x: Exchange): { traceparent: string; trace_id: string } | undefined {
  const parent = parseTraceParent(x.requestHeader('traceparent'));
  return parent && { traceparent: parent.text, trace_id: parent.traceId };
}
