/** Owns reading a server's limits, as node does: at the moment they are needed, since applications change them. */
import { maxHeaderSize, type Server } from 'node:http';

/** What node's types do not know of, or only of newer versions. */
interface AnyServer extends Server {
  maxHeaderSize?: number;
  keepAliveTimeoutBuffer?: number;
  httpAllowHalfOpen?: boolean;
  joinDuplicateHeaders?: boolean;
}

/** Fields beyond this number are for node to judge, whatever it is set to. */
const mostFields = 200;

function toLimit(value: number | null | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;
}

export class ServerLimits {
  readonly #server: AnyServer;
  /** Bytes of a head from which on node decides. Fixed when a server is made. */
  readonly headBytes: number;
  readonly joinsDuplicates: boolean;

  constructor(server: Server) {
    this.#server = server;
    this.headBytes = this.#server.maxHeaderSize || maxHeaderSize;
    this.joinsDuplicates = this.#server.joinDuplicateHeaders === true;
  }

  get fieldCount(): number {
    return Math.min(this.#server.maxHeadersCount || mostFields, mostFields);
  }

  get headersTimeoutMs(): number {
    return toLimit(this.#server.headersTimeout);
  }

  get requestTimeoutMs(): number {
    return toLimit(this.#server.requestTimeout);
  }

  /** What answers announce. */
  get keepAliveTimeoutMs(): number {
    return this.#server.keepAliveTimeout;
  }

  /** What an idle connection is left: a little more than was announced, so that a request on its way still arrives. */
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
