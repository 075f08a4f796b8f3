/** Owns the HTTP methods that a context supports, with and without a body. */
import { bodylessMethods, bodyMethods } from '../../shared/http-facts.ts';

export class MethodTable {
  readonly #parent: MethodTable | undefined;
  /** Whether the body of requests is read, by method. `undefined` while this context has the same methods as its parent. */
  #own: Map<string, boolean> | undefined;
  #withBody: ReadonlySet<string> | undefined;

  constructor(parent?: MethodTable) {
    this.#parent = parent;
    if (parent === undefined) {
      this.#own = new Map([...bodylessMethods.map(withBody(false)), ...bodyMethods.map(withBody(true))]);
    }
  }

  /** Adds a method to this context and the contexts below it. */
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

  /** All methods, those without a body first. */
  get names(): string[] {
    const methods = this.#source.#own!;
    const names = [...methods.keys()];
    return [...names.filter((name) => !methods.get(name)), ...names.filter((name) => methods.get(name))];
  }

  /** The methods whose body is read, as of now: methods that are added later are not added to the set. */
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
