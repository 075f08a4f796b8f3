/** Where and how a server listens. */

export interface ListenOptions {
  /** TCP port; 0, the default, picks a free one. */
  port?: number;
  /** Address or name to bind; by default `localhost`, on IPv4 and IPv6. */
  host?: string;
  /** Path of a unix socket, instead of a port. */
  path?: string;
  /** Longest queue of pending connections. */
  backlog?: number;
  exclusive?: boolean;
  readableAll?: boolean;
  writableAll?: boolean;
  ipv6Only?: boolean;
  /** Lets several processes listen on one port, where node and the system can. */
  reusePort?: boolean;
  /** An open file descriptor to listen on, instead of a port. */
  fd?: number;
  /** Aborting it closes the server. */
  signal?: AbortSignal;
  /** The text to log for each address. */
  listenTextResolver?: (address: string) => string;
}
