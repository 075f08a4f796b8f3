/** Lists the contexts of an application with what each defines, for tools that show the tree. */
import type { Context } from '../../types/context.ts';
import type { ContextDefinition, DefinitionKind, InspectedContext } from '../../types/inspection.ts';
import { type ContextNode, nodeOf } from '../context-node.ts';
import type { Definition } from '../recorded-definitions.ts';
import { declaredBy } from './list-plugins.ts';

/** See `inspect.ts`. */
export function listContexts(context: Context): InspectedContext[] {
  return [...nodeOf(context).descendants()].map((node) => new ListedContext(node));
}

class ListedContext implements InspectedContext {
  readonly #node: ContextNode;

  constructor(node: ContextNode) {
    this.#node = node;
  }

  get context(): Context {
    return this.#node.api;
  }

  get parent(): Context | undefined {
    return this.#node.parent?.api;
  }

  get name(): string {
    return this.#node.name;
  }

  get path(): string {
    return this.#node.path;
  }

  get prefix(): string {
    return this.#node.prefix;
  }

  get definitions(): ContextDefinition[] {
    return this.#node.definitions.map((definition) => new ListedDefinition(definition));
  }
}

class ListedDefinition implements ContextDefinition {
  readonly kind: DefinitionKind;
  readonly name: string | symbol;
  readonly value: unknown;
  readonly #definition: Definition;

  constructor(definition: Definition) {
    this.kind = definition.kind;
    this.name = definition.name;
    this.value = definition.value;
    this.#definition = definition;
  }

  // Made on demand: the file is read from a stack trace.
  get file(): string | undefined {
    return this.#definition.site?.location;
  }

  get plugin(): ContextDefinition['plugin'] {
    return declaredBy(this.#definition).plugin;
  }
}
