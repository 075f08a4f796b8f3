/**
 * Reads the limits of a server, whenever they are needed, as node does, because applications change them.
 */
import { maxHeaderSize, type Server } from 'node:http';

/** Properties that node's types do not have, or only in newer versions. */
interface AnyServer extends Server {
  maxHeaderSize?: number;
  keepAliveTimeoutBuffer?: number;
  httpAllowHalfOpen?: boolean;
  joinDuplicateHeaders?: boolean;
}

/** A head with more fields than this goes to node, even if the server's limit is higher. */
const maxFields = 200;

function toLimit(value: number | null | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;
}

export class ServerLimits {
  readonly #server: AnyServer;
  /** A head of this many bytes or more goes to node. The limit is fixed when a server is created. */
  readonly headBytes: number;
  readonly joinsDuplicates: boolean;

  constructor(server: Server) {
    this.#server = server;
    this.headBytes = this.#server.maxHeaderSize || maxHeaderSize;
    this.joinsDuplicates = this.#server.joinDuplicateHeaders === true;
  }

  get fieldCount(): number {
    return Math.min(this.#server.maxHeadersCount || maxFields, maxFields);
  }

  get headersTimeoutMs(): number {
    return toLimit(this.#server.headersTimeout);
  }

  get requestTimeoutMs(): number {
    return toLimit(this.#server.requestTimeout);
  }

  /** The time that responses announce in `Keep-Alive`. */
  get keepAliveTimeoutMs(): number {
    return this.#server.keepAliveTimeout;
  }

  /**
   * The time limit of an idle connection: a little more than was announced, so that a request on its way still arrives.
   */
  get idleTimeoutMs(): number {
    const timeout = toLimit(this.#server.keepAliveTimeout);
    const { keepAliveTimeoutBuffer } = this.#server;
    return (
      timeout && timeout + (keepAliveTimeoutBuffer === undefined ? 1000 : toLimit(keepAliveTimeoutBuffer))
    );
  }

  get socketTimeoutMs(): number {
    return this.#server.timeout;
  }

  get maxRequests(): number {
    return toLimit(this.#server.maxRequestsPerSocket);
  }

  get allowsHalfOpen(): boolean {
    return this.#server.httpAllowHalfOpen === true;
  }
}
