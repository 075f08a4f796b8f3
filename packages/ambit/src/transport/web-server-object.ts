/** What `app.server` is where no server of node serves the application: it knows its address, and says what it cannot do. */
import { EventEmitter } from 'node:events';
import type { AddressInfo } from 'node:net';
import { RuntimeUnsupported } from '../contract/errors.ts';

/** What an error tells to do instead. */
export interface WaysOut {
  readonly upgrade: string;
  readonly other: string;
}

/** Events of connections. Whoever waits for one of them would wait for ever. */
const connectionEvents: ReadonlySet<string | symbol> = new Set([
  'upgrade',
  'request',
  'connection',
  'secureConnection',
  'connect',
]);

/** Members that tools look for in any object. */
const askedOfAnything: ReadonlySet<string> = new Set(['then', 'toJSON', 'asymmetricMatch', 'nodeType']);

export class WebServerObject extends EventEmitter {
  listening = false;
  readonly #bound: (AddressInfo | string)[] = [];
  readonly #waysOut: WaysOut;

  constructor(waysOut: WaysOut) {
    super();
    this.#waysOut = waysOut;
  }

  /** As node's: `null` until the server listens, and a text for a UNIX socket. */
  address(): AddressInfo | string | null {
    return this.#bound[0] ?? null;
  }

  /** Called by the transport. */
  begin(bound: AddressInfo | string): void {
    this.#bound.push(bound);
    this.listening = true;
    this.emit('listening');
  }

  /** Called by the transport. */
  end(): void {
    if (!this.listening) return;
    this.listening = false;
    this.#bound.length = 0;
    this.emit('close');
  }

  /** @throws {RuntimeUnsupported} for the events of connections. */
  override on(name: string | symbol, listener: (...args: never[]) => void): this {
    this.#checkEvent(name);
    return super.on(name, listener as (...args: unknown[]) => void);
  }

  override prependListener(name: string | symbol, listener: (...args: never[]) => void): this {
    this.#checkEvent(name);
    return super.prependListener(name, listener as (...args: unknown[]) => void);
  }

  override addListener(name: string | symbol, listener: (...args: never[]) => void): this {
    return this.on(name, listener);
  }

  #checkEvent(name: string | symbol): void {
    if (!connectionEvents.has(name)) return;
    const { upgrade, other } = this.#waysOut;
    throw new RuntimeUnsupported(
      `the event '${String(name)}' of app.server`,
      name === 'upgrade' ? upgrade : other,
    );
  }

  /** A member that only node's server has is an error which names it, instead of `undefined` that fails somewhere else. */
  refuse(member: string): never {
    throw new RuntimeUnsupported(`app.server.${member}`, this.#waysOut.other);
  }
}

/** @throws {RuntimeUnsupported} The object does, when a member is read or set that only a server of node has. */
export function makeWebServerObject(waysOut: WaysOut): WebServerObject {
  return new Proxy(new WebServerObject(waysOut), {
    get(server, name) {
      if (typeof name === 'symbol' || name in server) {
        const value = Reflect.get(server, name, server);
        return typeof value === 'function' && name !== 'constructor' ? value.bind(server) : value;
      }
      return askedOfAnything.has(name) ? undefined : server.refuse(name);
    },
    set(server, name, value) {
      if (typeof name !== 'symbol' && !(name in server)) server.refuse(name);
      return Reflect.set(server, name, value, server);
    },
  });
}
