// Indexes the model of the application: the children and routes of each context, and the definitions that a context sees.

/** @import { ContextModel, DefinitionModel, Inspection, PluginModel, RouteModel, StepModel } from '@ambit/inspector' */

/**
 * A definition that a context sees. `replacedBy` is the context that replaces this definition.
 *
 * @typedef {object} VisibleDefinition
 * @property {DefinitionModel} definition
 * @property {ContextModel} context The context that defines it.
 * @property {boolean} isOwn
 * @property {ContextModel | null} replacedBy
 */

/** Kinds for which a definition replaces inherited definitions with the same name. */
const replaceableKinds = new Set([
  'errorHandler',
  'notFoundHandler',
  'compiler',
  'setting',
  'parser',
  'schema',
]);

/** The model with indexes over it. */
export class Model {
  /**
   * @param {Inspection} data
   * @param {boolean} [showsOwn] Whether lists have what belongs to the framework and its tools.
   */
  constructor(data, showsOwn = false) {
    this.showsOwn = showsOwn;
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
    /** @type {number[][]} The children of each context that are listed. */
    this.children = data.contexts.map(() => []);
    /** @type {RouteModel[][]} The routes of each context that are listed. */
    this.routesOf = data.contexts.map(() => []);
    for (const { id, parent } of this.listed(data.contexts))
      if (parent !== null) this.children[parent]?.push(id);
    /** How many listed contexts are inside each context, on all levels. @type {number[]} */
    this.inside = data.contexts.map(() => 0);
    // Parents come before their children.
    for (const { id, parent } of this.listed(data.contexts).toReversed())
      if (parent !== null) this.inside[parent] = this.countInside(parent) + this.countInside(id) + 1;
    for (const route of this.listed(data.routes)) this.routesOf[route.context]?.push(route);
  }

  /** Whether there is something that only the switch shows. */
  get hasOwn() {
    return [this.contexts, this.plugins, this.routes, this.steps].some((parts) =>
      parts.some(({ isOwn }) => isOwn),
    );
  }

  /**
   * The parts that lists have: without what belongs to the framework and its tools, unless the switch shows it.
   *
   * @template {{ readonly isOwn: boolean }} Part
   * @param {readonly Part[]} parts
   * @returns {readonly Part[]}
   */
  listed(parts) {
    return this.showsOwn ? parts : parts.filter(({ isOwn }) => !isOwn);
  }

  /**
   * The definitions of a context that lists have.
   *
   * @param {number} id
   */
  definitionsOf(id) {
    const { definitions } = this.context(id);
    return definitions.filter(({ plugin }) => this.showsOwn || !this.plugins[plugin ?? -1]?.isOwn);
  }

  /**
   * @param {number} id
   * @returns {ContextModel}
   */
  context(id) {
    return /** @type {ContextModel} */ (this.contexts[id]);
  }

  /** How many contexts are inside a context, on all levels. */
  countInside(/** @type {number} */ id) {
    return this.inside[id] ?? 0;
  }

  /**
   * The id of a context from the address of the page. It is that of the root if the application no longer has this context.
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
    const plugins = this.listed(
      /** @type {PluginModel[]} */ (this.context(id).plugins.map((plugin) => this.plugins[plugin])),
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
   * The definitions that a context sees: those of its ancestors, from the root on, and its own.
   *
   * @param {number} id
   * @returns {VisibleDefinition[]}
   */
  visible(id) {
    /** @type {VisibleDefinition[]} */
    const visible = [];
    for (const context of this.chain(id)) {
      for (const definition of this.definitionsOf(context.id)) {
        if (definition.kind === 'removedParser') markRemovedParsers(visible, definition, context);
        else if (replaceableKinds.has(definition.kind)) markReplaced(visible, definition, context);
        visible.push({ definition, context, isOwn: context.id === id, replacedBy: null });
      }
    }
    return visible;
  }

  /**
   * The definitions that only the first context, both contexts, and only the second context see.
   *
   * @param {number} a
   * @param {number} b
   */
  compare(a, b) {
    const visible = (/** @type {number} */ id) =>
      this.visible(id).filter(({ replacedBy }) => replacedBy === null);
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

function markReplaced(
  /** @type {VisibleDefinition[]} */ visible,
  /** @type {DefinitionModel} */ { kind, name },
  /** @type {ContextModel} */ context,
) {
  for (const entry of visible) {
    const { definition } = entry;
    const isSame = definition.kind === kind && (kind === 'notFoundHandler' || definition.name === name);
    if (isSame && entry.replacedBy === null) entry.replacedBy = context;
  }
}

function markRemovedParsers(
  /** @type {VisibleDefinition[]} */ visible,
  /** @type {DefinitionModel} */ { name },
  /** @type {ContextModel} */ context,
) {
  for (const entry of visible) {
    const isRemoved =
      entry.definition.kind === 'parser' && (name === 'all' || entry.definition.name === name);
    if (isRemoved && entry.replacedBy === null) entry.replacedBy = context;
  }
}
