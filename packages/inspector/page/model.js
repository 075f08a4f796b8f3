// Reads the model of the application: who is inside whom, and what a context sees.

/** Kinds of which a context sees only the nearest of a name. */
const replaced = new Set(['errorHandler', 'notFoundHandler', 'compiler', 'setting', 'parser', 'schema']);

/** The model with indexes over it. */
export class Model {
  constructor(data) {
    Object.assign(this, data);
    this.children = data.contexts.map(() => []);
    this.routesOf = data.contexts.map(() => []);
    for (const { id, parent } of data.contexts) if (parent !== null) this.children[parent].push(id);
    for (const route of data.routes) this.routesOf[route.context].push(route);
  }

  /** The contexts from the root to this one. */
  chain(id) {
    const chain = [];
    for (let at = id; at !== null; at = this.contexts[at].parent) chain.unshift(this.contexts[at]);
    return chain;
  }

  /** The plugin that opened a context, and those hoisted into it. */
  pluginsIn(id) {
    const plugins = this.contexts[id].plugins.map((plugin) => this.plugins[plugin]);
    return {
      opener: plugins.find(({ isHoisted }) => !isHoisted),
      hoisted: plugins.filter((plugin) => plugin.isHoisted),
    };
  }

  /** The steps of a route. */
  stepsOf({ steps }) {
    return this.stepLists[steps].map((id) => this.steps[id]);
  }

  /**
   * What a context sees: its own definitions and those of its ancestors, from the root inwards. `hiddenBy` is the context whose
   * definition takes the place of an inherited one.
   */
  visible(id) {
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

  /** What two contexts see: only one, both, only the other. */
  compare(a, b) {
    const [ofA, ofB] = [a, b].map((id) => this.visible(id).filter(({ hiddenBy }) => hiddenBy === null));
    const [inA, inB] = [ofA, ofB].map((seen) => new Set(seen.map(({ definition }) => definition)));
    return {
      onlyA: ofA.filter(({ definition }) => !inB.has(definition)),
      both: ofA.filter(({ definition }) => inB.has(definition)),
      onlyB: ofB.filter(({ definition }) => !inA.has(definition)),
    };
  }
}

function hideSame(seen, { kind, name }, context) {
  for (const entry of seen) {
    const { definition } = entry;
    const isSame = definition.kind === kind && (kind === 'notFoundHandler' || definition.name === name);
    if (isSame && entry.hiddenBy === null) entry.hiddenBy = context;
  }
}

function hideParsers(seen, { name }, context) {
  for (const entry of seen) {
    const isRemoved =
      entry.definition.kind === 'parser' && (name === 'all' || entry.definition.name === name);
    if (isRemoved && entry.hiddenBy === null) entry.hiddenBy = context;
  }
}
