/** Owns the tables of decorators: what a context adds to itself, to its requests and to its replies (specification 1.3). */
import {
  DecoratorAfterStart,
  DecoratorAlreadyPresent,
  DecoratorDependenciesInvalid,
  DecoratorDependencyMissing,
  DecoratorReferenceType,
  DecoratorUndeclared,
} from '../types/errors.ts';
import type { DefinitionKind } from '../types/inspection.ts';
import type { ContextNode } from './context-node.ts';
import { type ContextMethods, changeContext, define, hintAboutDecorator, nodeOf } from './definitions.ts';
import { typeOf } from './options/check-options.ts';

export type DecoratorName = string | symbol;
/** Returns a hint for the error about a missing decorator. */
type HintFor = (dependency: DecoratorName) => string | undefined;

/** One decorator: a value copied into each instance, or something shared that lives on the prototype. */
export interface Decorator {
  readonly kind: 'value' | 'method' | 'accessor';
  readonly value: unknown;
  /** How many decorators the context had before. */
  readonly index: number;
}

/** The base class of requests or of replies: its prototype, and the fields that its constructor sets. */
export interface InstanceBase {
  readonly prototype: object;
  readonly fields: ReadonlySet<DecoratorName>;
}

/** The decorators of requests, or of replies, that one context defines. */
export class DecoratorTable {
  readonly own: Map<DecoratorName, Decorator> = new Map();
  readonly #parent: DecoratorTable | undefined;
  /** How many decorators the parent had when this context was opened. */
  readonly #parentCount: number;
  readonly #base: InstanceBase;

  constructor(base: DecoratorTable | InstanceBase) {
    const isParent = base instanceof DecoratorTable;
    this.#parent = isParent ? base : undefined;
    this.#parentCount = isParent ? base.own.size : 0;
    this.#base = isParent ? base.#base : base;
  }

  /** The values that the parent has added after this context was opened: its instances do not have them. */
  get missed(): readonly DecoratorName[] {
    return [...(this.#parent?.own ?? [])].flatMap(([name, decorator]) =>
      this.#hasFromParent(decorator) ? [] : [name],
    );
  }

  /** Methods and accessors are on the prototype, so those that a parent adds later are seen, too. Values are fields, and are not. */
  #hasFromParent({ kind, index }: Decorator): boolean {
    return kind !== 'value' || index < this.#parentCount;
  }

  /** A context may not define a name twice, nor one under which an ancestor defines a value. */
  add(name: DecoratorName, value: unknown, dependencies: unknown, hintFor: HintFor): void {
    const text = String(name);
    if (typeof value === 'object' && value !== null && !isAccessor(value))
      throw new DecoratorReferenceType(text, typeof value);
    if (this.own.has(name) || this.#base.fields.has(name) || this.#inherited(name)?.kind === 'value')
      throw new DecoratorAlreadyPresent(text);
    checkDependencies(text, dependencies, (dependency) => this.has(dependency), hintFor);
    const kind = typeof value === 'function' ? 'method' : isAccessor(value) ? 'accessor' : 'value';
    this.own.set(name, { kind, value, index: this.own.size });
  }

  /** Whether instances created in this context have a member of that name. */
  has(name: DecoratorName): boolean {
    return (
      this.own.has(name) ||
      this.#inherited(name) !== undefined ||
      this.#base.fields.has(name) ||
      name in this.#base.prototype
    );
  }

  #inherited(name: DecoratorName): Decorator | undefined {
    for (let table: DecoratorTable = this; table.#parent !== undefined; table = table.#parent) {
      const decorator = table.#parent.own.get(name);
      if (decorator !== undefined && table.#hasFromParent(decorator)) return decorator;
    }
    return undefined;
  }
}

export const decoratorMethods: ContextMethods = {
  /** Children see the decorator through the prototype. */
  decorate(name, value, dependencies) {
    return declare(this, 'decorator', name, value, ({ app }) => {
      const { interceptors } = app.flavor;
      const intercepted = interceptors ? interceptors.decorate(name, value) : value;
      decorateContext(this, name, intercepted, dependencies);
    });
  },

  decorateRequest(name, value, dependencies) {
    return declare(this, 'requestDecorator', name, value, (node) =>
      node.requestDecorators.add(name, value, dependencies, (missing) =>
        hintAboutDecorator(missing, node, 'requestDecorator'),
      ),
    );
  },

  decorateReply(name, value, dependencies) {
    return declare(this, 'replyDecorator', name, value, (node) =>
      node.replyDecorators.add(name, value, dependencies, (missing) =>
        hintAboutDecorator(missing, node, 'replyDecorator'),
      ),
    );
  },

  hasDecorator(name) {
    return name in this && !isReplaceable(this, name);
  },

  hasRequestDecorator(name) {
    return nodeOf(this).requestDecorators.has(name);
  },

  hasReplyDecorator(name) {
    return nodeOf(this).replyDecorators.has(name);
  },

  getDecorator(name) {
    if (!(name in this)) {
      const node = nodeOf(this);
      const hint = hintAboutDecorator(name, node, 'decorator');
      throw node.app.translateError(DecoratorUndeclared.at({ hint }, String(name), 'instance'));
    }
    const value = (this as unknown as Record<DecoratorName, unknown>)[name];
    return typeof value === 'function' ? value.bind(this) : value;
  },
};

function declare(
  context: object,
  kind: DefinitionKind,
  name: DecoratorName,
  value: unknown,
  add: (node: ContextNode) => void,
): object {
  const change = (node: ContextNode): void => void define(node, kind, name, value, () => add(node));
  return changeContext(context, String(name), change, (call) => new DecoratorAfterStart(call));
}

export function decorateContext(
  context: object,
  name: DecoratorName,
  value: unknown,
  dependencies: unknown,
): void {
  const isRoot = Object.getPrototypeOf(Object.getPrototypeOf(context)) === Object.prototype;
  const isPresent = Object.hasOwn(context, name) || (isRoot && name in context);
  if (isPresent && !isReplaceable(context, name)) throw new DecoratorAlreadyPresent(String(name));
  const hintFor: HintFor = (dependency) => hintAboutDecorator(dependency, nodeOf(context), 'decorator');
  checkDependencies(String(name), dependencies, (dependency) => dependency in context, hintFor);
  defineMember(context, name, value);
}

/** Published plugins used the name `fetch` before contexts had a member of that name. */
function isReplaceable(context: object, name: DecoratorName): boolean {
  return name === 'fetch' && (context as { fetch: unknown }).fetch === nodeOf(context).app.fetch;
}

/** Puts a value or a `{ getter, setter }` pair on an object. */
export function defineMember(target: object, name: DecoratorName, value: unknown): void {
  if (isAccessor(value)) {
    const { getter, setter } = value;
    const access = { ...(getter && { get: getter }), ...(setter && { set: setter }) };
    Object.defineProperty(target, name, { ...access, configurable: true });
  } else {
    Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
  }
}

function checkDependencies(
  name: string,
  dependencies: unknown,
  isPresent: (dependency: DecoratorName) => boolean,
  hintFor: HintFor,
): void {
  if (dependencies === undefined || dependencies === null) return;
  if (!Array.isArray(dependencies)) throw new DecoratorDependenciesInvalid(name, typeOf(dependencies));
  for (const dependency of dependencies as DecoratorName[]) {
    if (!isPresent(dependency))
      throw DecoratorDependencyMissing.at({ hint: hintFor(dependency) }, String(dependency));
  }
}

/** A `{ getter, setter }` pair. */
interface AccessorPair {
  getter?: () => unknown;
  setter?: (value: unknown) => void;
}

function isAccessor(value: unknown): value is AccessorPair {
  if (typeof value !== 'object' || value === null) return false;
  const { getter, setter } = value as AccessorPair;
  return typeof getter === 'function' || typeof setter === 'function';
}
