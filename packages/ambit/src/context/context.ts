/**
 * The object that plugins get. Children inherit from it, so decorators and replaced methods are visible as properties
 * in children. Its methods are in `methods/`, one concept per file, as their public types are in `types/context-*.ts`.
 */
import type { Server } from 'node:http';
import type { Inject } from '../types/inject.ts';
import type { Logger } from '../types/logger.ts';
import type { FetchExecution } from '../types/options.ts';
import type { AppState } from './app-state.ts';
import { close } from './closing/close.ts';
import { nodeOf } from './context-node.ts';
import { replaceableMembers } from './decorators.ts';
import { makeInject } from './make-inject.ts';
import { addMethods } from './methods/context-methods.ts';
import { decoratorMethods } from './methods/decorator-methods.ts';
import { errorMethods } from './methods/error-methods.ts';
import { healthMethods } from './methods/health-methods.ts';
import { hookMethods } from './methods/hook-methods.ts';
import { overloadMethods } from './methods/overload-methods.ts';
import { parserMethods } from './methods/parser-methods.ts';
import { pluginMethods } from './methods/plugin-methods.ts';
import { routeMethods } from './methods/route-methods.ts';
import { schemaMethods } from './methods/schema-methods.ts';
import { serverMethods } from './methods/server-methods.ts';
import { installShortcuts } from './routes/route-shortcuts.ts';

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
