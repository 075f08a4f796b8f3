/** Owns the methods that a context supports, with a body or without one. */
import { bodylessMethods, bodyMethods } from '../../shared/http-facts.ts';

export class MethodTable {
  readonly #parent: MethodTable | undefined;
  /** Whether requests of a method have a body that is read; there once this context differs from its parent. */
  #own: Map<string, boolean> | undefined;
  #withBody: ReadonlySet<string> | undefined;

  constructor(parent?: MethodTable) {
    this.#parent = parent;
    if (parent === undefined) {
      this.#own = new Map([...bodylessMethods.map(withBody(false)), ...bodyMethods.map(withBody(true))]);
    }
  }

  /** Supports a method from here on, in this context and below. */
  add(method: string, hasBody: boolean): void {
    this.#own = new Map(this.#source.#own);
    this.#own.set(method, hasBody);
    this.#withBody = undefined;
  }

  has(method: string): boolean {
    return this.#source.#own!.has(method);
  }

  hasBody(method: string): boolean {
    return this.#source.#own!.get(method) === true;
  }

  /** Those without a body first. */
  get names(): string[] {
    const methods = this.#source.#own!;
    const names = [...methods.keys()];
    return [...names.filter((name) => !methods.get(name)), ...names.filter((name) => methods.get(name))];
  }

  /** The methods whose body is read, as they stand. */
  withBody(): ReadonlySet<string> {
    const source = this.#source;
    source.#withBody ??= new Set(source.names.filter((name) => source.#own!.get(name)));
    return source.#withBody;
  }

  /** The nearest table with methods of its own. */
  get #source(): MethodTable {
    let table: MethodTable = this;
    while (table.#own === undefined) table = table.#parent!;
    return table;
  }
}

const withBody =
  (hasBody: boolean) =>
  (method: string): [string, boolean] => [method, hasBody];
