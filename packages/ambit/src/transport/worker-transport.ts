/** Replaces node-transport.ts, transport.ts and inject.ts in the build for runtimes without servers: requests come only through `app.fetch`. */
import { RuntimeUnsupported } from '../types/errors.ts';
import type { ServerSettings, Unfinished } from '../types/options.ts';
import type { Transport } from './transport.ts';
import { serverOptions, UnconnectedExchanges } from './unconnected-requests.ts';
import { makeWebServerObject, type WebServerObject } from './web-server-object.ts';

/** What errors suggest instead of `app.server`. */
const hints = {
  upgrade:
    'Answer upgrades in a route, with a `Response` that has the status 101 and a `webSocket` of a `WebSocketPair`',
  other: 'Use a hook of the application, such as onRequest',
};

/** Members that are only for node's objects, and that nothing calls in this build. */
type NodeParts = 'server' | 'handle' | 'handleInjected';

class WorkerTransport implements Omit<Transport, NodeParts> {
  readonly server: WebServerObject = makeWebServerObject(hints);
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

  /** The runtime owns all connections. */
  announceEnd(): () => boolean {
    return () => false;
  }

  unfinished(): Unfinished[] {
    return this.unconnected.running.map((exchange) => ({ exchange, openedMs: 0 }));
  }

  destroyAll(): void {
    for (const x of this.unconnected.running) x.destroy();
  }

  async stopAccepting(onStopped?: () => void): Promise<void> {
    onStopped?.();
  }

  async drain(): Promise<void> {}

  async close(): Promise<void> {}
}

function needsNode(feature: string): never {
  throw new RuntimeUnsupported(feature, 'Use `app.fetch`, which needs no objects of node:http');
}

export function exchangeOver(): never {
  return needsNode('replyTo');
}

export function injectInto(): never {
  throw new RuntimeUnsupported('inject', "Use `app.fetch(new Request('http://localhost/'))`");
}

export function makeTransport(settings: ServerSettings): WorkerTransport {
  return new WorkerTransport(settings);
}
