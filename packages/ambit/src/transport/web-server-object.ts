/**
 * The `app.server` of an application that no server of node serves: it has the address, and throws an error that names each member that it
 * does not support.
 */
import { EventEmitter } from 'node:events';
import type { AddressInfo } from 'node:net';
import { RuntimeUnsupported } from '../types/errors.ts';

/** What errors suggest to do instead. */
export interface Hints {
  readonly upgrade: string;
  readonly other: string;
}

/** Events of connections. They are never emitted, so a listener would wait forever. */
const connectionEvents: ReadonlySet<string | symbol> = new Set([
  'upgrade',
  'request',
  'connection',
  'secureConnection',
  'connect',
]);

/** Members that tools read from any object. */
const commonlyReadMembers: ReadonlySet<string> = new Set(['then', 'toJSON', 'asymmetricMatch', 'nodeType']);

export class WebServerObject extends EventEmitter {
  listening = false;
  readonly #bound: (AddressInfo | string)[] = [];
  readonly #hints: Hints;

  constructor(hints: Hints) {
    super();
    this.#hints = hints;
    this.on('newListener', (name) => this.#checkEvent(name));
  }

  /** As in node: `null` until the server listens, and a string for a UNIX socket. */
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

  /** @throws {RuntimeUnsupported} for the events of connections. The listener is not added then. */
  #checkEvent(name: string | symbol): void {
    if (!connectionEvents.has(name)) return;
    const { upgrade, other } = this.#hints;
    throw new RuntimeUnsupported(
      `the event '${String(name)}' of app.server`,
      name === 'upgrade' ? upgrade : other,
    );
  }

  /** Throws an error that names a member that only node's server has. With `undefined`, code would fail elsewhere. */
  refuse(member: string): never {
    throw new RuntimeUnsupported(`app.server.${member}`, this.#hints.other);
  }
}

/** The object throws {RuntimeUnsupported} when code reads or sets a member that only a server of node has. */
export function makeWebServerObject(hints: Hints): WebServerObject {
  return new Proxy(new WebServerObject(hints), {
    get(server, name) {
      if (typeof name === 'symbol' || name in server) {
        const value = Reflect.get(server, name, server);
        return typeof value === 'function' && name !== 'constructor' ? value.bind(server) : value;
      }
      return commonlyReadMembers.has(name) ? undefined : server.refuse(name);
    },
    set(server, name, value) {
      if (typeof name !== 'symbol' && !(name in server)) server.refuse(name);
      return Reflect.set(server, name, value, server);
    },
  });
}
