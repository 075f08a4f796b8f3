/** Owns the methods that a context supports, with a body or without one. */
import { bodylessMethods, bodyMethods } from '../kit/http-facts.ts';

export class MethodTable {
  readonly #parent: MethodTable | undefined;
  /** Whether requests of a method have a body that is read; there once this context differs from its parent. */
  #own: Map<string, boolean> | undefined;

  constructor(parent?: MethodTable) {
    this.#parent = parent;
    if (parent === undefined) {
      this.#own = new Map([...bodylessMethods.map(withBody(false)), ...bodyMethods.map(withBody(true))]);
    }
  }

  /** Supports a method from here on, in this context and below. */
  add(method: string, hasBody: boolean): void {
    this.#own = new Map(this.#all);
    this.#own.set(method, hasBody);
  }

  has(method: string): boolean {
    return this.#all.has(method);
  }

  hasBody(method: string): boolean {
    return this.#all.get(method) === true;
  }

  /** Those without a body first. */
  get names(): string[] {
    const names = [...this.#all.keys()];
    return [...names.filter((name) => !this.hasBody(name)), ...names.filter((name) => this.hasBody(name))];
  }

  /** The methods whose body is read, as they stand. */
  withBody(): ReadonlySet<string> {
    return new Set(this.names.filter((name) => this.hasBody(name)));
  }

  get #all(): ReadonlyMap<string, boolean> {
    return this.#own ?? this.#parent!.#all;
  }
}

const withBody =
  (hasBody: boolean) =>
  (method: string): [string, boolean] => [method, hasBody];
