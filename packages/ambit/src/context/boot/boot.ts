/** Owns the order of boot, which is that of avvio: plugins load one after the other, each with everything that it registers. */

import { CallSite } from '../../shared/call-site.ts';
import type { ErrorPlace } from '../../shared/error-place.ts';
import type { Context } from '../../types/context.ts';
import { HookTimeout } from '../../types/errors.ts';
import type { Avvio, AvvioCallback } from './avvio.ts';
import { AwaitedContexts } from './awaited-contexts.ts';
import { type BootErrorSource, BootErrors } from './boot-errors.ts';
import { BootStep } from './boot-step.ts';
import { callCloseHook, callListener, type Listener } from './call-listener.ts';
import { makeLoader } from './loader.ts';

import { UnnamedPlugins } from './plugin-name.ts';
import { type Registration, type RegistrationOrigin, registrationOf } from './plugin-registration.ts';
import { withinMs } from './time-limit.ts';
import { type MakeError, toError } from './to-error.ts';
import { type WrapSettings, wrapPlugin } from './wrap-plugin.ts';

/** A listener of `after` that the application added, and when it ran. */
export interface AfterListener extends RegistrationOrigin {
  readonly context: Context;
  readonly listener: Listener;
  startedAtMs: number | undefined;
  endedAtMs: number | undefined;
}

export interface BootEvents extends BootErrorSource {
  /** Returns the context that a plugin fills. Called just before the plugin runs. */
  openContext(parent: Context, registration: Registration, options: object): Context;
  /** Called when every plugin has loaded. If it throws, boot fails. */
  onLoaded(): void;
  /** Called when boot has ended, with its hooks. */
  onStarted(): void;
  /** Whether a plugin without a name is shown by its source, as in Fastify. Otherwise, it is shown by the line that registered it. */
  readonly namesPluginsBySource: boolean;
  /** Whether declarations are checked that Fastify accepts. */
  readonly checksDeclarations: boolean;
  /** The plugins from the root to a context. */
  pathOf(context: Context): string;
}

export class Boot {
  readonly #avvio: Avvio;
  readonly #events: BootEvents;
  readonly #wrapSettings: WrapSettings;
  /** Placeholders for plugins without a name, because avvio needs a name at once. */
  readonly #unnamedPlugins = new UnnamedPlugins();
  readonly #errors: BootErrors;
  /** The step whose code runs, or ran last. */
  #step = new BootStep();
  readonly #registrations: Registration[] = [];
  #limitsCloseHooks = false;
  readonly #afterListeners: AfterListener[] = [];
  readonly #awaited = new AwaitedContexts(() => this.afterAll());

  constructor(root: () => Context, timeoutMs: number, events: BootEvents) {
    this.#events = events;
    this.#wrapSettings = {
      timeoutMs,
      checksDeclarations: events.checksDeclarations,
      running: new Set(),
      nameOf: (plugin, { site }) =>
        events.namesPluginsBySource ? plugin.toString() : this.#unnamedPlugins.placeholderFor(site),
      toError: (origin, thrown) =>
        toError(thrown, 'the plugin', () => events.locate(origin) ?? { file: origin.site.location }),
    };
    this.#errors = new BootErrors(events, this.#wrapSettings.running, this.#unnamedPlugins);
    const avvio = makeLoader(timeoutMs);
    this.#avvio = avvio;
    // Avvio has no server of its own, so it passes itself as the root context.
    avvio.override = (server, plugin, options) => {
      const registration = registrationOf(plugin)!;
      this.#begin(registration.step, registration);
      this.#registrations.push(registration);
      return events.openContext(server === avvio ? root() : (server as Context), registration, options);
    };
    avvio.on('preReady', () => events.onLoaded());
    avvio.on('start', () => events.onStarted());
  }

  get isLoaded(): boolean {
    return this.#avvio.booted;
  }

  /** The step whose code runs. What it registers loads later. */
  get step(): BootStep {
    return this.#step;
  }

  /** The plugins that have begun to load, in order. */
  get registrations(): readonly Registration[] {
    return this.#registrations;
  }

  /** The listeners of `after` that the application added, in order. */
  get afterListeners(): readonly AfterListener[] {
    return this.#afterListeners;
  }

  #begin(within: BootStep, owner: Registration | undefined = within.owner): void {
    within.begin();
    this.#step = new BootStep(owner);
  }

  /** @throws {PluginInvalid} {RootAlreadyBooted} {ParentAlreadyLoaded} */
  register(plugin: unknown, options: unknown): void {
    this.#awaited.add();
    const step = this.#step;
    try {
      this.#avvio.use(wrapPlugin(plugin, { site: new CallSite(), step }, this.#wrapSettings), options);
    } catch (error) {
      throw this.translate(error as Error);
    }
    step.enqueue();
  }

  /** Runs a listener of the application once what is registered so far has loaded, and records when. */
  runAfter(context: Context, listener: Listener): void {
    const times = { startedAtMs: undefined, endedAtMs: undefined };
    const added: AfterListener = { context, listener, site: new CallSite(), step: this.#step, ...times };
    this.#afterListeners.push(added);
    this.after(context, listener, added.site, added);
  }

  /**
   * Runs a listener once what is registered so far has loaded.
   *
   * @param site The line of the application that has added it, for errors.
   */
  after(
    context: Context,
    listener: Listener,
    site?: CallSite,
    times: Pick<AfterListener, 'startedAtMs' | 'endedAtMs'> | undefined = undefined,
  ): void {
    this.#awaited.add();
    const step = this.#step;
    const name = 'the listener passed to `after`';
    this.#avvio.after((error, done) => {
      this.#begin(step);
      this.#errors.locateListener = () => ({
        plugin: this.#events.pathOf(context),
        file: site?.location,
        step: name,
      });
      if (times !== undefined) times.startedAtMs = performance.now();
      const end: AvvioCallback = (failure) => {
        this.#errors.locateListener = undefined;
        if (times !== undefined) times.endedAtMs = performance.now();
        done(failure);
      };
      const call = { context, error: error && this.translate(error), done: end };
      callListener(listener, call, this.#makeErrorFor(name, context, site));
    });
    step.enqueue();
  }

  /**
   * Runs a function of the framework once what is registered so far has loaded, and before what is registered later loads. It registers
   * nothing, so it does not count as a step.
   */
  whenLoadedSoFar(run: () => void): void {
    this.#avvio.after((error, done) => {
      run();
      done(error);
    });
  }

  #makeErrorFor(thrower: string, context: Context, site: CallSite | undefined): MakeError {
    const where = (): ErrorPlace => ({
      plugin: this.#events.pathOf(context),
      file: site?.location,
      step: thrower,
    });
    return (thrown) => toError(thrown, thrower, where);
  }

  /** Resolves when everything registered so far has loaded. */
  afterAll(): Promise<void> {
    const step = this.#step;
    const resume = (): void => {
      this.#step = step;
    };
    const fail = (error: Error): never => {
      resume();
      throw this.translate(error);
    };
    return step.wait(() => this.#avvio.after().then(resume, fail));
  }

  /** Starts loading. The listener is called when everything has loaded, or when loading has failed. */
  ready(listener: (error: Error | null, done: AvvioCallback) => void): void {
    this.#avvio.ready((error, done) => listener(error && this.translate(error), done));
  }

  /** `ready` inside a plugin. As with `after`, the number of the listener's parameters decides how it is called. */
  readyIn(context: Context, listener: Listener | undefined): Promise<Context> | undefined {
    if (listener !== undefined) {
      const makeError = this.#makeErrorFor('the listener passed to `ready`', context, new CallSite());
      this.#avvio.ready((error, done) => callListener(listener, { context, error, done }, makeError));
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.#avvio.ready((error, done) => {
        if (error) reject(this.translate(error));
        else resolve(context);
        process.nextTick(done);
      });
    });
  }

  onClose(context: Context, hook: Listener): void {
    const site = new CallSite();
    const makeError = this.#makeErrorFor('the onClose hook', context, site);
    // Fastify passes nothing to a hook that declares no parameter.
    const getsContext = this.#events.checksDeclarations || hook.length > 0;
    const listener: Listener = getsContext ? hook : () => (hook as () => unknown).call(context);
    this.#avvio.onClose((_root, done) => {
      if (this.#limitsCloseHooks && this.#wrapSettings.timeoutMs > 0) {
        const quotedName = hook.name === '' ? '' : ` "${hook.name}"`;
        const where = {
          plugin: this.#events.pathOf(context),
          file: site.location,
          step: `onClose hook${quotedName}`,
        };
        const makeTimeout = () => HookTimeout.at({ where }, 'onClose', quotedName);
        callCloseHook(
          listener,
          context,
          withinMs(this.#wrapSettings.timeoutMs, done, makeTimeout),
          makeError,
        );
      } else callCloseHook(listener, context, done, makeError);
    });
  }

  /** Adds the step that closes connections. It must be added last, because it then runs first. It has a time limit of its own. */
  onShutDown(context: Context, shutDown: () => Promise<void>): void {
    const makeError = this.#makeErrorFor('the end of connections', context, undefined);
    this.#avvio.onClose((_root, done) => callCloseHook(shutDown, context, done, makeError));
  }

  /** From now on, an `onClose` hook that takes longer than a plugin may take to load fails, and the next one runs. */
  limitCloseHooks(): void {
    this.#limitsCloseHooks = true;
  }

  close(listener: (error: Error | null, done: AvvioCallback) => void): void {
    this.#avvio.close((error, done) => listener(error, done));
  }

  print(): string {
    return this.#unnamedPlugins.fillIn(this.#avvio.prettyPrint());
  }

  /** The `then` that makes `await app.register(…)` wait; `undefined` after boot. */
  thenOf(context: Context): PromiseLike<Context>['then'] | undefined {
    return this.#avvio.booted ? undefined : this.#awaited.thenOf(context);
  }

  /** Gives avvio's errors the codes of the catalogue, with the original error as the cause. */
  translate(error: Error): Error {
    return this.#errors.translate(error);
  }
}
