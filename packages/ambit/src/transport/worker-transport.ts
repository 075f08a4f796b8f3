/** Stands in for node-transport.ts in the build for runtimes without servers: requests come by `app.fetch` alone. */
import { EventEmitter } from 'node:events';
import type { Unfinished } from '../contract/closing.ts';
import { RuntimeUnsupported } from '../contract/errors.ts';
import type { ServerSettings } from '../contract/server.ts';
import type { NodeTransport } from './node-transport.ts';
import { UnconnectedExchanges } from './unconnected-exchanges.ts';

/** Options that make or configure a server. Limits of time are left to the runtime, as for every `fetch`. */
const serverOptions = ['http', 'https', 'http2', 'serverFactory'] as const;

/** What `app.server` is: it never listens. */
class NoServer extends EventEmitter {
  readonly listening = false;

  address(): null {
    return null;
  }

  /** @throws for the events of connections: whoever waits for them would wait for ever. */
  override on(name: string | symbol, listener: (...args: never[]) => void): this {
    if (name === 'upgrade' || name === 'request' || name === 'connection')
      throw new RuntimeUnsupported(
        `the event '${name}' of app.server`,
        name === 'upgrade'
          ? 'Answer upgrades in a route, with the sockets of the runtime'
          : 'Use a hook of the application, such as onRequest',
      );
    return super.on(name, listener as (...args: unknown[]) => void);
  }
}

/** What only node's objects need, and nothing here calls. */
type NodeParts = 'server' | 'handle' | 'handleInjected' | 'handleHttp1';

class WorkerTransport implements Omit<NodeTransport, NodeParts> {
  readonly server: NoServer = new NoServer();
  readonly unconnected: UnconnectedExchanges = new UnconnectedExchanges();

  /** @throws {RuntimeUnsupported} for an option that needs a server. */
  constructor({ userOptions }: ServerSettings) {
    for (const name of serverOptions)
      if (userOptions[name])
        throw new RuntimeUnsupported(
          `the option \`${name}\``,
          'The runtime owns the server: configure it there, and set the option only where the application listens',
        );
  }

  readonly handleInjected = (): never => needsNode('inject');

  readonly handle = (): never => needsNode('app.routing');

  async listen(): Promise<never> {
    throw new RuntimeUnsupported('listen', 'Export the application: `export default app`');
  }

  addresses(): never[] {
    return [];
  }

  startClosing(): void {}

  /** No connection is ours to keep or to end. */
  announceEnd(): () => boolean {
    return () => false;
  }

  unfinished(): Unfinished[] {
    return this.unconnected.running.map((exchange) => ({ exchange, openedMs: 0 }));
  }

  destroyAll(): void {
    for (const x of this.unconnected.running) x.destroy();
  }

  async stopAccepting(): Promise<void> {}

  async drain(): Promise<void> {}

  async close(): Promise<void> {}
}

function needsNode(feature: string): never {
  throw new RuntimeUnsupported(feature, 'Use `app.fetch`, which needs no objects of node:http');
}

function exchangeOver(): never {
  return needsNode('replyTo');
}

export { exchangeOver, WorkerTransport as NodeTransport };
