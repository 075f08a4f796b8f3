/** Serves an application in this process, and stops it gracefully. */
import type { ListenOptions } from 'ambit';
import { toCommandError } from '../application/application-failure.ts';
import {
  type Application,
  boot,
  type LoadOptions,
  loadApplication,
} from '../application/load-application.ts';
import { CommandError } from '../command.ts';
import type { ListenAddress, ListenPlace } from './listen-options.ts';
import { longestStopMs, type StopOptions } from './messages.ts';

export interface ServeOptions extends LoadOptions {
  /** Adds something to the application before it boots, and returns its path. */
  readonly mount?: (application: Application) => string | undefined;
}

export interface ServedApplication extends Pick<Application, 'app' | 'framework'> {
  /** The path that `mount` has returned. */
  readonly mountedPath: string | undefined;
  /** `http://localhost:3000`, or the path of a socket. */
  readonly address: string;
  readonly host: string;
  /** Whether it still accepts connections. */
  readonly isListening: boolean;
  /** The number of open connections. */
  countConnections(): Promise<number>;
  /**
   * Stops accepting connections, responds to requests that have arrived, and closes the application.
   *
   * @returns Whether everything ended in time.
   */
  stop(options: StopOptions): Promise<boolean>;
}

/** @throws {CommandError} */
export async function serveApplication(
  appArgument: string | undefined,
  place: ListenPlace,
  { mount, ...options }: ServeOptions = {},
): Promise<ServedApplication> {
  const application = await loadApplication(appArgument, {
    ...options,
    recordsDeclarationSites: mount !== undefined,
  });
  const { app, framework, displayPath, listenOptions } = application;
  const mountedPath = mount?.(application);
  await boot(application);
  const { port, host, isElsewhere } = choosePlace(listenOptions, place);
  const { path, fd, ...otherOptions } = listenOptions;
  try {
    await application.listen(isElsewhere ? listenOptions : { ...otherOptions, port, host });
  } catch (cause) {
    throw listenFailure(cause as NodeJS.ErrnoException, { port, host }, displayPath);
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
    app,
    framework,
    mountedPath,
    host,
    address: isElsewhere ? String(path ?? fd) : displayAddress(app.listeningOrigin, host),
    get isListening() {
      // The server of a socket still has its path when it is closed.
      return isElsewhere ? app.server.listening : app.addresses().length > 0;
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

/** The command line is first, then what the program asks for, then the environment. */
function choosePlace(
  asked: ListenOptions,
  { given, otherwise }: ListenPlace,
): ListenAddress & { readonly isElsewhere: boolean } {
  const port = given.port ?? Number(asked.port ?? otherwise.port);
  const isElsewhere = given.port === undefined && (asked.path !== undefined || asked.fd !== undefined);
  return { port, host: given.host ?? asked.host ?? otherwise.host, isElsewhere };
}

/** The address for the user. `localhost` has several addresses, so its name is used instead of one of them. */
function displayAddress(origin: string, host: string): string {
  return host === 'localhost' ? origin.replace(/\/\/.*:/, '//localhost:') : origin;
}

function listenFailure(
  cause: NodeJS.ErrnoException,
  { port, host }: ListenAddress,
  displayPath: string,
): CommandError {
  const problems: Record<string, [problem: string, remedy: string]> = {
    EADDRINUSE: [`port ${port} of ${host} is in use`, 'Pass another one with --port, or 0 for a free one.'],
    EACCES: [`port ${port} of ${host} may not be used`, 'Pass a port from 1024 with --port.'],
    EADDRNOTAVAIL: [`${host} is no address of this machine`, 'Pass one of its addresses with --host.'],
    ENOTFOUND: [`the host ${host} is not known`, 'Pass an address of this machine with --host.'],
  };
  const problem = problems[cause.code ?? ''];
  if (problem === undefined) return toCommandError(cause, displayPath, 'the application cannot listen');
  return new CommandError({ problem: problem[0], remedy: problem[1], cause });
}

function after(ms: number): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), ms).unref();
  });
}
