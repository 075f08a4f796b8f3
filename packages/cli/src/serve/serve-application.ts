/** Serves an application in this process, and stops it in order. */
import { failureOf } from '../application/application-failure.ts';
import {
  type Application,
  boot,
  type LoadOptions,
  loadApplication,
} from '../application/load-application.ts';
import { CommandError } from '../command-error.ts';
import { longestStopMs, type StopOptions } from './messages.ts';

export interface Place {
  readonly port: number;
  readonly host: string;
}

export interface ServeOptions extends LoadOptions {
  /** Adds something to the application before it boots, and returns its path. */
  readonly mount?: (application: Application) => string | undefined;
}

export interface Served {
  /** What `mount` has returned. */
  readonly mounted: string | undefined;
  /** `http://localhost:3000`. */
  readonly address: string;
  /** Whether it still accepts connections. */
  readonly isListening: boolean;
  /** The number of open connections. */
  countConnections(): Promise<number>;
  /**
   * Stops accepting, answers what has arrived, and closes the application.
   *
   * @returns Whether everything ended in time.
   */
  stop(options: StopOptions): Promise<boolean>;
}

/** @throws {CommandError} */
export async function serveApplication(
  named: string | undefined,
  { port, host }: Place,
  { mount, ...options }: ServeOptions = {},
): Promise<Served> {
  const application = await loadApplication(named, { ...options, recordsSites: mount !== undefined });
  const { app, framework, shown } = application;
  const mounted = mount?.(application);
  await boot(application);
  try {
    await app.listen({ port, host });
  } catch (cause) {
    throw listenFailure(cause as NodeJS.ErrnoException, { port, host }, shown);
  }
  let stopping: Promise<boolean> | undefined;
  const stop = ({ graceMs, delayMs = 0, idleMs }: StopOptions): Promise<boolean> => {
    const ended =
      idleMs === undefined
        ? app.close({ graceMs, delayMs }).then((cutOff) => cutOff === 0)
        : framework.drain(app, idleMs).then(() => app.close().then(() => true));
    return Promise.race([ended, after(idleMs === undefined ? longestStopMs({ graceMs, delayMs }) : graceMs)]);
  };
  return {
    mounted,
    address: shownAddress(app.listeningOrigin, host),
    get isListening() {
      return app.addresses().length > 0;
    },
    countConnections: () =>
      new Promise((resolve) => {
        app.server.getConnections((_error, count) => resolve(count ?? 0));
      }),
    stop: (options) => {
      stopping ??= stop(options);
      return stopping;
    },
  };
}

/** `localhost` is more than one address: the name stands for all of them. */
function shownAddress(origin: string, host: string): string {
  return host === 'localhost' ? origin.replace(/\/\/.*:/, '//localhost:') : origin;
}

function listenFailure(cause: NodeJS.ErrnoException, { port, host }: Place, shown: string): CommandError {
  const problems: Record<string, [problem: string, remedy: string]> = {
    EADDRINUSE: [`port ${port} of ${host} is in use`, 'Pass another one with --port, or 0 for a free one.'],
    EACCES: [`port ${port} of ${host} may not be used`, 'Pass a port from 1024 with --port.'],
    EADDRNOTAVAIL: [`${host} is no address of this machine`, 'Pass one of its addresses with --host.'],
    ENOTFOUND: [`the host ${host} is not known`, 'Pass an address of this machine with --host.'],
  };
  const known = problems[cause.code ?? ''];
  if (known === undefined) return failureOf(cause, shown, 'the application cannot listen');
  return new CommandError({ problem: known[0], remedy: known[1], cause });
}

function after(ms: number): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), ms).unref();
  });
}
