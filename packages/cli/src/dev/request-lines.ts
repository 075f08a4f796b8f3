/** Writes one line for each request of an application in development: with its size, and who answered if it was not the handler. */
import { tracingChannel } from 'node:diagnostics_channel';
import type { RequestTrace, RunningStep, StepTrace } from 'ambit';

/** Ambit publishes the requests of all applications of a process here, with both flavors, and also those that match no route. */
export function writeRequests(): void {
  // Pino writes later than others, unless `write` was replaced: then it uses it, and all lines are in order.
  process.stdout.write = process.stdout.write.bind(process.stdout) as typeof process.stdout.write;
  const steps = new WeakMap<RequestTrace, RunningStep>();
  tracingChannel<unknown, StepTrace>('ambit.request.step').subscribe({
    start: ({ step, trace }: StepTrace) => {
      if (step.path === 'request') steps.set(trace, step);
    },
  } as never);
  tracingChannel<unknown, RequestTrace>('ambit.request').subscribe({
    asyncEnd: (trace: RequestTrace) => writeRequest(trace, steps.get(trace)),
  } as never);
}

/** @param last The last step before the response began. */
function writeRequest(trace: RequestTrace, last: RunningStep | undefined): void {
  const { request, reply, error, route } = trace;
  // The inspector asks all the time, also for the document of the application.
  if (route?.includes('/__ambit') || request.headers['x-ambit-inspector'] !== undefined) return;
  const { method, url, log } = request;
  const { statusCode, elapsedTime: responseTime } = reply;
  const length = Number(reply.getHeader('content-length') ?? Number.NaN);
  const by = whoAnswered(trace, last);
  // `child` of the logger that discards everything returns the same logger. Nobody else would show the error.
  if (error !== undefined && statusCode >= 500 && log.child({}) === log && !('level' in log)) {
    const { message, stack } = Object(error) as Partial<Error>;
    const err = { message: message ?? String(error), stack: stack ?? '' };
    write({ level: 50, req: { method, url }, err, msg: err.message });
  }
  write({
    level: 30,
    event: 'request',
    req: { method, url },
    res: { statusCode },
    responseTime,
    ...(length >= 0 && { bytes: length }),
    ...(by !== undefined && { by }),
    msg: 'request completed',
  });
}

function whoAnswered(
  { error, route, state }: RequestTrace,
  last: RunningStep | undefined,
): string | undefined {
  if (state === 'incomplete') return 'the client left';
  if (error !== undefined) {
    const { message = String(error), statusCode = 500 } = Object(error) as {
      message?: string;
      statusCode?: number;
    };
    const where = last === undefined || last.name === 'handler' ? 'error' : nameOf(last);
    return last?.name === 'validate' || statusCode < 500 ? `${where}: ${message.split('\n')[0]}` : where;
  }
  if (last !== undefined && last.name !== 'handler') return nameOf(last);
  return route === undefined ? 'not found' : undefined;
}

/** `preHandler checkToken`; `validation`. */
function nameOf({ name, function: hook }: RunningStep): string {
  if (name === 'validate') return 'validation';
  return hook === undefined ? name : `${name} ${hook.name}`.trimEnd();
}

function write(line: object): void {
  process.stdout.write(`${JSON.stringify({ time: Date.now(), ...line })}\n`);
}
