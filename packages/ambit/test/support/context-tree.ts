/** Generates trees of plugins, loads them, and says what each route must see: a model of encapsulation in a hundred lines. */
import { type Context, hoist, type PluginFunction } from 'ambit';
import fc from 'fast-check';

/** The longest flat list that is generated: all ids are below. */
export const maxSteps = 40;

/** The phases whose hooks the handler can see. */
const phases = ['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const;
type Phase = (typeof phases)[number];

export type Definition =
  | 'decorator'
  | 'parser'
  | 'schema'
  | 'errorHandler'
  | 'notFoundHandler'
  | 'route'
  | Phase;

/** A call that defines something. `id` is its own in the whole tree, so every name is, too. */
interface Call {
  readonly id: number;
  readonly what: Definition;
}

export type Step = Call | ({ readonly id: number; readonly what: 'plugin' } & PluginNode);

export interface PluginNode {
  readonly style: 'sync' | 'callback' | 'async';
  readonly isHoisted: boolean;
  readonly hasPrefix: boolean;
  /** Whether an async plugin waits for this one before it goes on. */
  readonly isAwaited: boolean;
  readonly steps: readonly Step[];
}

const definitions: readonly Definition[] = [
  'decorator',
  'parser',
  'schema',
  'errorHandler',
  'notFoundHandler',
  'route',
  ...phases,
];
const opening = fc.record({
  what: fc.constant('plugin' as const),
  style: fc.constantFrom('sync' as const, 'callback' as const, 'async' as const),
  isHoisted: fc.boolean(),
  hasPrefix: fc.boolean(),
  isAwaited: fc.boolean(),
});
const closing = fc.record({ what: fc.constant('end' as const) });
const calling = fc.record({ what: fc.constantFrom(...definitions) });

/** The steps of a root. They are generated as a flat list, as brackets are written, because such a list shrinks well. */
export const anyTree: fc.Arbitrary<readonly Step[]> = fc
  .array(fc.oneof({ arbitrary: calling, weight: 5 }, { arbitrary: opening, weight: 2 }, closing), {
    maxLength: 40,
  })
  .map((flat) => {
    const root: Step[] = [];
    const open = [root];
    for (const [id, item] of flat.entries()) {
      if (item.what === 'end') open.length = Math.max(1, open.length - 1);
      else if (item.what !== 'plugin') open.at(-1)!.push({ id, what: item.what });
      else {
        const steps: Step[] = [];
        open.at(-1)!.push({ id, ...item, steps });
        open.push(steps);
      }
    }
    return root;
  });

/** A context of the model. */
export class Scope {
  readonly parent: Scope | undefined;
  readonly prefix: string;
  /** Its own definitions, in the order in which they were made. */
  readonly own: { readonly id: number; readonly what: Definition; readonly at: number }[] = [];
  readonly children: Scope[] = [];

  constructor(parent?: Scope, prefix = '') {
    this.parent = parent;
    this.prefix = (parent?.prefix ?? '') + prefix;
    parent?.children.push(this);
  }

  get ownsPrefix(): boolean {
    return this.parent === undefined || this.parent.prefix !== this.prefix;
  }

  /** This context and its ancestors, the root first. */
  get chain(): Scope[] {
    return [...(this.parent?.chain ?? []), this];
  }

  get all(): Scope[] {
    return [this, ...this.children.flatMap((child) => child.all)];
  }

  ids(what: Definition): number[] {
    return this.own.filter((definition) => definition.what === what).map(({ id }) => id);
  }

  /** What is visible here of one kind, outermost first. */
  visible(what: Definition): number[] {
    return this.chain.flatMap((scope) => scope.ids(what));
  }

  /** The hooks in the order in which they run: by phase, then in the order in which they were added, wherever that was. */
  get trail(): string[] {
    const added = this.chain.flatMap(({ own }) => own).sort((one, other) => one.at - other.at);
    return phases.flatMap((phase) =>
      added.filter(({ what }) => what === phase).map(({ id }) => `${phase} ${id}`),
    );
  }

  /** A context has one error handler, and a prefix one not-found handler. */
  takes({ what }: Step): boolean {
    if (what === 'errorHandler') return this.ids(what).length === 0;
    return what !== 'notFoundHandler' || (this.ownsPrefix && this.ids(what).length === 0);
  }
}

/**
 * Says which context gets which definition. Plugins load, hooks are added, and routes take their error handler in the order of their calls;
 * the rest is immediate.
 */
export class Model {
  readonly root: Scope = new Scope();
  /** The error handler of each route. What a plugin sets that is registered after the route comes too late for it. */
  readonly errorHandlers = new Map<number, number | undefined>();
  #time = 0;

  constructor(steps: readonly Step[]) {
    this.#run(steps, 'sync', this.root);
  }

  #run(steps: readonly Step[], style: PluginNode['style'], scope: Scope): void {
    const waiting: Step[] = [];
    const load = (): void => {
      for (const step of waiting.splice(0)) {
        if (step.what === 'route') this.errorHandlers.set(step.id, scope.visible('errorHandler').at(-1));
        else if (step.what !== 'plugin') this.#define(step, scope);
        else this.#run(step.steps, step.style, step.isHoisted ? scope : new Scope(scope, prefixOf(step)));
      }
    };
    for (const step of steps) {
      const isHook = phases.includes(step.what as Phase);
      // A hook that no plugin is in front of is added at once.
      const waits = step.what === 'plugin' || (isHook && waiting.some(({ what }) => what !== 'route'));
      if (!waits) this.#define(step as Call, scope);
      if (waits || step.what === 'route') waiting.push(step);
      if (step.what === 'plugin' && style === 'async' && step.isAwaited) load();
    }
    load();
  }

  #define(step: Call, scope: Scope): void {
    if (scope.takes(step)) scope.own.push({ ...step, at: this.#time++ });
  }
}

const prefixOf = ({ id, hasPrefix }: { id: number } & PluginNode): string => (hasPrefix ? `/p${id}` : '');

/** Makes a definition in a context. */
export type Define = (context: Context, what: Definition, id: number) => void;

/** Turns steps into a plugin. */
export function toPlugin(steps: readonly Step[], style: PluginNode['style'], define: Define): PluginFunction {
  const take = (context: Context, step: Step): unknown => {
    if (step.what !== 'plugin') return define(context, step.what, step.id);
    const plugin = toPlugin(step.steps, step.style, define);
    const loaded = step.isHoisted
      ? context.register(hoist(plugin))
      : context.register(plugin, { prefix: prefixOf(step) });
    return step.isAwaited ? loaded : undefined;
  };
  const takeAll = (context: Context): void => {
    for (const step of steps) take(context, step);
  };
  switch (style) {
    case 'sync':
      return (context, _options, done) => {
        takeAll(context);
        done();
      };
    case 'callback':
      return (context, _options, done) => {
        takeAll(context);
        setImmediate(done);
      };
    case 'async':
      return async (context) => {
        for (const step of steps) await take(context, step);
      };
  }
}
