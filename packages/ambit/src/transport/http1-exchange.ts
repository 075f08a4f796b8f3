/** An exchange on one of our own HTTP/1.1 servers: what holds for node's objects there, and not for those of other wires. */
import { NodeExchange } from './node-exchange.ts';
import { endInOneWrite } from './one-write.ts';

export class Http1Exchange extends NodeExchange {
  override get bodyArrival(): 'underway' | 'complete' {
    return this.rawRequest.complete ? 'complete' : 'underway';
  }

  override end(payload?: string | Uint8Array, lengthBytes?: number): void {
    if (typeof payload === 'string') endInOneWrite(this.rawResponse, payload, lengthBytes);
    else this.rawResponse.end(payload);
  }
}
