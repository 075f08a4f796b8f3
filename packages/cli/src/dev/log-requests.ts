/** Logs the requests and errors of an application that has no logger, in the format of pino, for `ambit dev`. */
import type { Context } from 'ambit';

/** Adds hooks that log to an application, unless it has a logger. */
export function logRequests(app: Context): void {
  const log = app.log as Context['log'] | undefined;
  // `child` of the logger that discards everything returns the same logger. Fastify itself has no logger yet.
  if (log === undefined || 'level' in log || log.child({}) !== log) return;
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url } = request;
    const { statusCode, elapsedTime: responseTime } = reply;
    write({ level: 30, req: { method, url }, res: { statusCode }, responseTime, msg: 'request completed' });
    done();
  });
  app.addHook('onError', (_request, reply, error, done) => {
    const { message, stack } = error;
    if (reply.statusCode >= 500 || !('statusCode' in error))
      write({ level: 50, err: { message, stack }, msg: message });
    done();
  });
}

function write(line: object): void {
  process.stdout.write(`${JSON.stringify({ time: Date.now(), ...line })}\n`);
}
