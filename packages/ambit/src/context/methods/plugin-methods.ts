/** The methods of contexts for plugins and for boot; what they do is in `boot.ts`. */
import type { Context } from '../../types/context.ts';
import { withLocation } from '../change-context.ts';
import { nodeOf } from '../context-node.ts';
import type { AnyHook } from '../hook-table.ts';
import type { ContextMethods } from './context-methods.ts';

type Callback = (...args: never[]) => unknown;

export const pluginMethods: ContextMethods = {
  register(plugin: unknown, options?: unknown): object {
    const node = nodeOf(this);
    withLocation(node, () => node.app.boot.register(plugin, options));
    return this;
  },

  after(listener?: Callback): object {
    const { boot } = nodeOf(this).app;
    if (typeof listener !== 'function') return boot.afterAll();
    boot.runAfter(this, listener);
    return this;
  },

  // biome-ignore lint/suspicious/noThenProperty: `await app.register(…)` waits until the plugin has loaded.
  get then(): PromiseLike<Context>['then'] | undefined {
    return nodeOf(this).app.boot.thenOf(this);
  },

  ready(listener?: (error: Error | null, context?: Context) => void): Promise<Context> | undefined {
    const { app, parent } = nodeOf(this);
    if (parent !== undefined && app.compatibility.readyInPlugin === 'load')
      return app.boot.readyIn(this, listener as Callback | undefined);
    const booted = parent === undefined ? app.whenReady() : app.whenBooted().then(() => this);
    if (listener == null) return booted;
    booted.then((context) => listener(null, context), listener);
    return undefined;
  },

  onClose(hook: AnyHook): object {
    nodeOf(this).app.boot.onClose(this, hook);
    return this;
  },

  hasPlugin(name: string): boolean {
    return nodeOf(this).isRegistered(name);
  },

  printPlugins(): string {
    return nodeOf(this).app.boot.print();
  },

  [Symbol.asyncDispose](): Promise<void> {
    return nodeOf(this).app.close();
  },
};
