// Reads the model of the application: who is inside whom, and what a context sees.

/** @import { ContextModel, DefinitionModel, Inspection, PluginModel, RouteModel, StepModel } from '@ambit/inspector' */

/**
 * A definition that a context sees. `hiddenBy` is the context whose definition takes the place of an inherited one.
 *
 * @typedef {object} Seen
 * @property {DefinitionModel} definition
 * @property {ContextModel} context The one that defines it.
 * @property {boolean} isOwn
 * @property {ContextModel | null} hiddenBy
 */

/** Kinds of which a context sees only the nearest of a name. */
const replaced = new Set(['errorHandler', 'notFoundHandler', 'compiler', 'setting', 'parser', 'schema']);

/** The model with indexes over it. */
export class Model {
  /** @param {Inspection} data */
  constructor(data) {
    this.framework = data.framework;
    this.node = data.node;
    this.folder = data.folder;
    this.bootMs = data.bootMs;
    this.contexts = data.contexts;
    this.plugins = data.plugins;
    this.afterListeners = data.afterListeners;
    this.routes = data.routes;
    this.steps = data.steps;
    this.stepLists = data.stepLists;
    /** @type {number[][]} The contexts inside each. */
    this.children = data.contexts.map(() => []);
    /** @type {RouteModel[][]} The routes of each context. */
    this.routesOf = data.contexts.map(() => []);
    for (const { id, parent } of data.contexts) if (parent !== null) this.children[parent]?.push(id);
    for (const route of data.routes) this.routesOf[route.context]?.push(route);
  }

  /**
   * @param {number} id
   * @returns {ContextModel}
   */
  context(id) {
    return /** @type {ContextModel} */ (this.contexts[id]);
  }

  /**
   * The id of a context as an address has it: the root, if the application has no such context any more.
   *
   * @param {string} text
   */
  idOf(text) {
    return this.contexts[Number(text)] === undefined ? 0 : Number(text);
  }

  /**
   * The contexts from the root to this one.
   *
   * @param {number} id
   */
  chain(id) {
    const chain = [];
    for (let at = /** @type {number | null} */ (id); at !== null; ) {
      const context = this.context(at);
      chain.unshift(context);
      at = context.parent;
    }
    return chain;
  }

  /**
   * The plugin that opened a context, and those hoisted into it.
   *
   * @param {number} id
   */
  pluginsIn(id) {
    const plugins = /** @type {PluginModel[]} */ (
      this.context(id).plugins.map((plugin) => this.plugins[plugin])
    );
    return {
      opener: plugins.find(({ isHoisted }) => !isHoisted),
      hoisted: plugins.filter((plugin) => plugin.isHoisted),
    };
  }

  /**
   * The steps of a route.
   *
   * @param {RouteModel} route
   */
  stepsOf({ steps }) {
    return /** @type {StepModel[]} */ ((this.stepLists[steps] ?? []).map((id) => this.steps[id]));
  }

  /**
   * What a context sees: its own definitions and those of its ancestors, from the root inwards.
   *
   * @param {number} id
   * @returns {Seen[]}
   */
  visible(id) {
    /** @type {Seen[]} */
    const seen = [];
    for (const context of this.chain(id)) {
      for (const definition of context.definitions) {
        if (definition.kind === 'removedParser') hideParsers(seen, definition, context);
        else if (replaced.has(definition.kind)) hideSame(seen, definition, context);
        seen.push({ definition, context, isOwn: context.id === id, hiddenBy: null });
      }
    }
    return seen;
  }

  /**
   * What two contexts see: only one, both, only the other.
   *
   * @param {number} a
   * @param {number} b
   */
  compare(a, b) {
    const visible = (/** @type {number} */ id) =>
      this.visible(id).filter(({ hiddenBy }) => hiddenBy === null);
    const [ofA, ofB] = [visible(a), visible(b)];
    const inA = new Set(ofA.map(({ definition }) => definition));
    const inB = new Set(ofB.map(({ definition }) => definition));
    return {
      onlyA: ofA.filter(({ definition }) => !inB.has(definition)),
      both: ofA.filter(({ definition }) => inB.has(definition)),
      onlyB: ofB.filter(({ definition }) => !inA.has(definition)),
    };
  }
}

function hideSame(
  /** @type {Seen[]} */ seen,
  /** @type {DefinitionModel} */ { kind, name },
  /** @type {ContextModel} */ context,
) {
  for (const entry of seen) {
    const { definition } = entry;
    const isSame = definition.kind === kind && (kind === 'notFoundHandler' || definition.name === name);
    if (isSame && entry.hiddenBy === null) entry.hiddenBy = context;
  }
}

function hideParsers(
  /** @type {Seen[]} */ seen,
  /** @type {DefinitionModel} */ { name },
  /** @type {ContextModel} */ context,
) {
  for (const entry of seen) {
    const isRemoved =
      entry.definition.kind === 'parser' && (name === 'all' || entry.definition.name === name);
    if (isRemoved && entry.hiddenBy === null) entry.hiddenBy = context;
  }
}
