/** The parts of find-my-way that are not documented, and that `without-codegen.ts` replaces. */

export interface Node {
  prefix: string;
  matchPrefix: (path: string, index: number) => boolean;
  readonly staticChildrenCharCodes: number[];
  readonly staticChildrenNodes: Node[];
  setStaticChild(label: string, node: Node): void;
  createStaticChild(path: string): Node;
  split(parent: Node, length: number): Node;
}

export interface Strategy {
  readonly name: string;
  readonly isCustom?: boolean;
  readonly mustMatchWhenDerived?: boolean;
  deriveConstraint(request: unknown, context: unknown): unknown;
}

export interface Constrainer {
  readonly strategies: Readonly<Record<string, Strategy>>;
  readonly strategiesInUse: ReadonlySet<string>;
  deriveSyncConstraints: (request: RawRequest, context: unknown) => Record<string, unknown>;
  newStoreForConstraint(name: string): ConstraintStore;
  _buildDeriveConstraints(): void;
}

interface ConstraintStore {
  get(value: unknown): number | undefined;
}

export interface HandlerStorage {
  readonly constraints: readonly string[];
  readonly handlers: readonly unknown[];
  constrainedHandlerStores: Record<string, ConstraintStore>;
  _buildConstraintStore(store: ConstraintStore, name: string): void;
  _constrainedIndexBitmask(name: string): number;
  _getHandlerMatchingConstraints: (derived: Readonly<Record<string, unknown>>) => unknown;
  _compileCreateParamsObject(names: readonly string[]): unknown;
  _compileGetHandlerMatchingConstraints(constrainer: Constrainer): void;
}

export interface Engine {
  readonly trees: Record<string, Node>;
  _on(method: string, path: string, ...more: unknown[]): void;
}

export type RawRequest = { readonly headers: Readonly<Record<string, string | undefined>> };
export type Class<Instance> = { readonly prototype: Instance };
export type NodeModule = { createStaticNode(prefix: string): Node; Node: Class<Node> };
