/**
 * The object that plugins get, and its methods for plugins, hooks, the server, health and overload. Children inherit from it, so decorators and
 * replaced methods are visible as properties in children. What a method does is in the file of its concept.
 */

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Context } from '../types/context.ts';
import { OptionInvalid } from '../types/errors.ts';
import type {
  OverloadOptions,
  ReadinessCheckFunction,
  ReadinessCheckOptions,
} from '../types/feature-options.ts';
import type { Inject } from '../types/inject.ts';
import type { Logger } from '../types/logger.ts';
import type { FetchExecution, ListenOptions } from '../types/options.ts';
import { type AppState, define } from './app-state.ts';
import { close } from './closing/closing.ts';
import { changeContext, nodeOf, withLocation } from './context-node.ts';
import { decoratorMethods, errorMethods, parserMethods, schemaMethods } from './context-settings.ts';
import { replaceableMembers } from './decorators.ts';
import { addReadinessCheck } from './health/readiness-check.ts';
import { type AnyHook, addHook } from './hooks.ts';
import { type ListenCallback, listen, originOf } from './listen.ts';
import { makeInject } from './make-inject.ts';
import { resolveOverload } from './options/limit-options.ts';
import { installShortcuts, routeMethods } from './routes/shortcuts.ts';

type Callback = (...args: never[]) => unknown;

const pluginMethods: ContextMethods = {
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

/** The method of contexts that adds hooks. */
const hookMethods: ContextMethods = {
  addHook(name: string, hook: AnyHook): object {
    return changeContext(this, 'addHook', (node) => addHook(node, name, hook));
  },
};

/** The methods of contexts for the server of the application. */
const serverMethods: ContextMethods = {
  listen(
    optionsOrCallback?: ListenOptions | ListenCallback,
    callback?: ListenCallback,
  ): Promise<string | undefined> | undefined {
    return listen(nodeOf(this), optionsOrCallback, callback);
  },

  addresses(): AddressInfo[] {
    return nodeOf(this).app.addresses();
  },

  get listeningOrigin(): string {
    const { app } = nodeOf(this);
    return originOf(app.addresses().at(-1)!, app.initialConfig.https ? 'https' : 'http');
  },
};

/** The methods of contexts for health. */
const healthMethods: ContextMethods = {
  addReadinessCheck(name: string, check: ReadinessCheckFunction, options?: ReadinessCheckOptions): object {
    return changeContext(this, 'addReadinessCheck', (node) => addReadinessCheck(node, name, check, options));
  },
};

/** The methods of contexts for overload protection. */
const overloadMethods: ContextMethods = {
  setOverload(options: OverloadOptions | boolean): object {
    return changeContext(this, 'setOverload', (node) => {
      node.settings.overload = resolveOverload(options, (problem) => OptionInvalid('setOverload', problem));
      define(node, 'setting', 'overload', options);
    });
  },
};

/** Methods and accessors by name. `this` is the context that they are called on. They find its tables with `nodeOf`. */
export type ContextMethods = Record<PropertyKey, unknown> & ThisType<Context>;

/** Adds groups of methods to a prototype, as a class would have them. */
function addMethods(prototype: object, groups: readonly ContextMethods[]): void {
  for (const group of groups) {
    for (const name of Reflect.ownKeys(group)) {
      const descriptor = Object.getOwnPropertyDescriptor(group, name)!;
      Object.defineProperty(prototype, name, { ...descriptor, enumerable: false });
    }
  }
}

export class RootContext {
  log: Logger;
  server: Server;
  initialConfig: Readonly<Record<string, unknown>>;
  routing: (rawRequest: unknown, rawResponse: unknown) => void;
  inject: Inject;
  /** A property, not a method, because runtimes call the function without its context. */
  fetch: (request: Request, context?: unknown, execution?: FetchExecution) => Promise<Response>;

  /** A property, not a method, because it is often passed as a function: `process.once('SIGTERM', app.close)`. */
  close: (optionsOrListener?: unknown) => this | Promise<void> | Promise<number>;

  constructor(app: Pick<AppState, 'log' | 'initialConfig' | 'routing' | 'inject' | 'fetch'>, server: Server) {
    this.log = app.log;
    this.server = server;
    this.initialConfig = app.initialConfig;
    this.routing = app.routing;
    this.inject = makeInject(app);
    this.fetch = app.fetch;
    replaceableMembers.add(this.fetch);
    this.close = (optionsOrListener) => close(this, optionsOrListener);
  }

  get pluginName(): string {
    return nodeOf(this).names.join(' -> ');
  }

  get prefix(): string {
    return nodeOf(this).prefix;
  }

  get version(): string {
    return nodeOf(this).app.version;
  }

  /** Changes the TypeScript types only: at run time it has no effect. */
  withTypeProvider(): this {
    return this;
  }
}

addMethods(RootContext.prototype, [
  pluginMethods,
  decoratorMethods,
  hookMethods,
  routeMethods,
  schemaMethods,
  parserMethods,
  errorMethods,
  healthMethods,
  overloadMethods,
  serverMethods,
]);
installShortcuts(RootContext.prototype);
