/** Caches, for each route, the schemas that handlers compile themselves. Plans of one route share its `info`. */
import type { Plan } from '../types/plan.ts';

export class CompiledSchemas<Compiled> {
  readonly #byRoute = new WeakMap<Plan['info'], WeakMap<object, Compiled>>();

  find({ info }: Plan, schema: object): Compiled | undefined {
    return this.#byRoute.get(info)?.get(schema);
  }

  findOrCompile({ info }: Plan, schema: object, compile: () => Compiled): Compiled {
    let schemas = this.#byRoute.get(info);
    if (schemas === undefined) {
      schemas = new WeakMap();
      this.#byRoute.set(info, schemas);
    }
    let compiled = schemas.get(schema);
    if (compiled === undefined) {
      compiled = compile();
      schemas.set(schema, compiled);
    }
    return compiled;
  }
}
