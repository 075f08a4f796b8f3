/** The options of servers: where they listen, and their limits of time. */
import type { AmbitOptions } from './options.ts';

/** The third argument that workers pass to `fetch`. */
export interface FetchExecution {
  /** Keeps the request alive until the work has ended: otherwise, the runtime ends it with the response. */
  waitUntil(work: PromiseLike<unknown>): void;
}

/** The options of `listen`. */
export interface ListenOptions {
  /** TCP port: 0 to 65,535. 0, the default, picks a free one. */
  port?: number;
  /** Address or host name to listen on. Default `localhost`, on IPv4 and IPv6. */
  host?: string;
  /** Path of a UNIX socket, instead of a port. */
  path?: string;
  /** Longest queue of pending connections. Default: node's, 511. */
  backlog?: number;
  /** If `true`, workers of a cluster do not share the port. Default `false`. */
  exclusive?: boolean;
  /** Whether all users may read the UNIX socket. Default `false`. */
  readableAll?: boolean;
  /** Whether all users may write to the UNIX socket. Default `false`. */
  writableAll?: boolean;
  /** Whether an IPv6 address does not serve IPv4, too. Default `false`. */
  ipv6Only?: boolean;
  /** Lets several processes listen on one port, where node and the system support it. Default `false`. */
  reusePort?: boolean;
  /** An open file descriptor to listen on, instead of a port or a path. The address of a UNIX socket is then `fd://` and its number. */
  fd?: number;
  /** Aborting it closes the server. */
  signal?: AbortSignal;
  /** Returns the text to log for each address. Default: `Server listening at` and the address. */
  listenTextResolver?: (address: string) => string;
}

/** The options of the application with which servers are created. Times are in milliseconds; 0 is no limit. */
export interface ServerSettings {
  /** A copy of the options that were passed to `ambit()`. */
  readonly userOptions: AmbitOptions;
  readonly connectionTimeout: number;
  readonly keepAliveTimeout: number;
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly maxRequestsPerSocket: number;
  readonly http2SessionTimeout: number;
}
