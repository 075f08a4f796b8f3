/**
 * Makes routing work if code must not be generated from strings (`node --disallow-code-generation-from-strings`). find-my-way generates a
 * few small functions, which are replaced by closures here. If code generation is allowed, nothing is replaced.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

let isReplaced = false;

/** Must be called before the first route is added. Replaces the functions that find-my-way would generate. */
export function replaceGeneratedCode(): void {
  if (isReplaced) return;
  isReplaced = true;
  const nodes = require('find-my-way/lib/node.js') as NodeModule;
  replaceInNodes(nodes);
  replaceInEngine(require('find-my-way') as Class<Engine>, nodes);
  replaceInHandlers(
    require('find-my-way/lib/handler-storage.js') as Class<HandlerStorage>,
    require('find-my-way/lib/null-object.js') as { NullObject: new () => Record<string, unknown> },
  );
  replaceInConstrainer(require('find-my-way/lib/constrainer.js') as Class<Constrainer>);
}

function setPrefix(node: Node, prefix: string): Node {
  node.prefix = prefix;
  node.matchPrefix = (path, index) => path.startsWith(prefix, index);
  return node;
}

/** Creates the node with a prefix of one character, because find-my-way generates no code for that, and then sets the prefix. */
function makeNode({ createStaticNode }: NodeModule, prefix: string): Node {
  return setPrefix(createStaticNode('/'), prefix);
}

function replaceInNodes(nodes: NodeModule): void {
  const { prototype } = nodes.Node;
  prototype.createStaticChild = function (path) {
    if (path.length === 0) return this;
    const existing = this.staticChildrenNodes[this.staticChildrenCharCodes.indexOf(path.charCodeAt(0))];
    if (existing === undefined) {
      const node = makeNode(nodes, path);
      this.setStaticChild(path, node);
      return node;
    }
    let length = 1;
    while (length < existing.prefix.length && existing.prefix[length] === path[length]) length++;
    const child = length < existing.prefix.length ? existing.split(this, length) : existing;
    return child.createStaticChild(path.slice(length));
  };
  prototype.split = function (parent, length) {
    const upperNode = makeNode(nodes, this.prefix.slice(0, length));
    setPrefix(this, this.prefix.slice(length));
    upperNode.setStaticChild(this.prefix, this);
    parent.setStaticChild(upperNode.prefix, upperNode);
    return upperNode;
  };
}

/** The pattern `*` needs a root without a prefix, because it matches from the beginning of the path. */
function replaceInEngine({ prototype }: Class<Engine>, nodes: NodeModule): void {
  const add = prototype._on;
  prototype._on = function (method, path, ...more) {
    const root = this.trees[method] ?? makeNode(nodes, '/');
    if (path === '*' && root.prefix !== '') {
      this.trees[method] = makeNode(nodes, '');
      this.trees[method].setStaticChild(root.prefix, root);
    }
    add.call(this, method, path, ...more);
  };
}

function replaceInHandlers(
  { prototype }: Class<HandlerStorage>,
  { NullObject }: { NullObject: new () => Record<string, unknown> },
): void {
  // Values are passed by position: the first four as arguments, the others in an array.
  prototype._compileCreateParamsObject =
    (names) =>
    (...values: [unknown, unknown, unknown, unknown, readonly unknown[] | null]) => {
      const params = new NullObject();
      for (const [index, name] of names.entries())
        params[name] = index < 4 ? values[index] : values[4]![index - 4];
      return params;
    };
  prototype._compileGetHandlerMatchingConstraints = function (constrainer) {
    this.constrainedHandlerStores = {};
    for (const name of this.constraints) {
      const store = constrainer.newStoreForConstraint(name);
      this.constrainedHandlerStores[name] = store;
      this._buildConstraintStore(store, name);
    }
    this._getHandlerMatchingConstraints = makeMatcher(this, constrainer);
  };
}

/**
 * Handlers are the bits of a number. Each constraint removes the handlers that do not match. The highest bit that is left is the handler.
 */
function makeMatcher(
  storage: HandlerStorage,
  { strategies }: Constrainer,
): HandlerStorage['_getHandlerMatchingConstraints'] {
  const { handlers, constraints } = storage;
  const steps = constraints.map((name) => ({
    name,
    store: storage.constrainedHandlerStores[name]!,
    unconstrained: storage._constrainedIndexBitmask(name),
    isStrict: strategies[name]!.mustMatchWhenDerived === true,
  }));
  const all = (1 << handlers.length) - 1;
  const refused = Object.keys(strategies).filter(
    (name) => strategies[name]!.mustMatchWhenDerived && !constraints.includes(name),
  );
  return (derived) => {
    let candidates = all;
    for (const { name, store, unconstrained, isStrict } of steps) {
      const value = derived[name];
      const matches = value === undefined ? 0 : (store.get(value) ?? 0);
      candidates &= value !== undefined && isStrict ? matches : matches | unconstrained;
      if (candidates === 0) return null;
    }
    if (refused.some((name) => derived[name] !== undefined)) return null;
    return handlers[31 - Math.clz32(candidates)];
  };
}

function replaceInConstrainer({ prototype }: Class<Constrainer>): void {
  prototype._buildDeriveConstraints = function () {
    const inUse = [...this.strategiesInUse].map((key) => [key, this.strategies[key]!] as const);
    if (inUse.length === 0) return;
    this.deriveSyncConstraints = (request, context) => {
      const derived: Record<string, unknown> = {};
      for (const [key, strategy] of inUse) derived[key] = derive(key, strategy, request, context);
      return derived;
    };
  };
}

function derive(key: string, strategy: Strategy, request: RawRequest, context: unknown): unknown {
  if (strategy.isCustom) return strategy.deriveConstraint(request, context);
  const { headers } = request;
  return key === 'version' ? headers['accept-version'] : headers.host || headers[':authority'];
}

// The parts of find-my-way that are not documented.

interface Node {
  prefix: string;
  matchPrefix: (path: string, index: number) => boolean;
  readonly staticChildrenCharCodes: number[];
  readonly staticChildrenNodes: Node[];
  setStaticChild(label: string, node: Node): void;
  createStaticChild(path: string): Node;
  split(parent: Node, length: number): Node;
}

interface Strategy {
  readonly name: string;
  readonly isCustom?: boolean;
  readonly mustMatchWhenDerived?: boolean;
  deriveConstraint(request: unknown, context: unknown): unknown;
}

interface Constrainer {
  readonly strategies: Readonly<Record<string, Strategy>>;
  readonly strategiesInUse: ReadonlySet<string>;
  deriveSyncConstraints: (request: RawRequest, context: unknown) => Record<string, unknown>;
  newStoreForConstraint(name: string): ConstraintStore;
  _buildDeriveConstraints(): void;
}

interface ConstraintStore {
  get(value: unknown): number | undefined;
}

interface HandlerStorage {
  readonly constraints: readonly string[];
  readonly handlers: readonly unknown[];
  constrainedHandlerStores: Record<string, ConstraintStore>;
  _buildConstraintStore(store: ConstraintStore, name: string): void;
  _constrainedIndexBitmask(name: string): number;
  _getHandlerMatchingConstraints: (derived: Readonly<Record<string, unknown>>) => unknown;
  _compileCreateParamsObject(names: readonly string[]): unknown;
  _compileGetHandlerMatchingConstraints(constrainer: Constrainer): void;
}

interface Engine {
  readonly trees: Record<string, Node>;
  _on(method: string, path: string, ...more: unknown[]): void;
}

type RawRequest = { readonly headers: Readonly<Record<string, string | undefined>> };
type Class<Instance> = { readonly prototype: Instance };
type NodeModule = { createStaticNode(prefix: string): Node; Node: Class<Node> };
