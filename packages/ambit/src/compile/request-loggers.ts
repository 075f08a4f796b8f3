/** Decides how the logger of each request is made, and whether there is one at all. */

import { type ContextNode, childLoggerFactoryOf } from '../context/context-node.ts';
import { isLogger } from '../context/make-logger.ts';
import type { Context } from '../contract/context.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { ChildLoggerFactory } from '../contract/logger.ts';
import type { Plan } from '../contract/plan.ts';
import type { RegisteredRoute } from '../contract/route-info.ts';
import { parseTraceParent } from '../shared/trace-parent.ts';

type LogDetails = Pick<RegisteredRoute, 'logLevel' | 'logSerializers' | 'childLoggerFactory'>;

/** Without a logger, requests need none. Otherwise each request gets a child logger with its id. */
export function loggerMaker(node: ContextNode, details: LogDetails): Plan['makeLogger'] {
  const { app, api } = node;
  if (node.servesProbes) return undefined;
  const isDefault = (factory: ChildLoggerFactory<Context>): boolean =>
    factory === app.defaultChildLoggerFactory;
  const factory = details.childLoggerFactory || childLoggerFactoryOf(node);
  if (!app.hasLogger && isDefault(factory)) return undefined;
  const { logLevel: level, logSerializers: serializers } = details;
  const label = app.logWriter.requestIdLogLabel;
  const { logsTraceContext } = app.options;
  return (x, id) => {
    // An empty level would make pino build all its methods anew for every child.
    const options = { ...(level && { level }), ...(serializers && { serializers }) };
    const bindings = { [label]: id, ...(logsTraceContext && traceBindings(x)) };
    // The default factory looks at no request: node's is not asked for.
    if (isDefault(factory)) return factory.call(api, app.log, bindings, options, undefined as never);
    const child = factory.call(api, app.log, bindings, options, x.rawRequest);
    isLogger(child, true);
    return child;
  };
}

/** The trace that the client says the request belongs to; nothing if it names none, or an invalid one. */
function traceBindings(x: Exchange): { traceparent: string; trace_id: string } | undefined {
  const parent = parseTraceParent(x.requestHeader('traceparent'));
  return parent && { traceparent: parent.text, trace_id: parent.traceId };
}
