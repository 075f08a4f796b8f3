/** Caches, for each plan, the schemas that handlers compile themselves. */
import type { Plan } from '../contract/plan.ts';

export class CompiledSchemas<Compiled> {
  readonly #byPlan = new WeakMap<Plan, WeakMap<object, Compiled>>();

  find(plan: Plan, schema: object): Compiled | undefined {
    return this.#byPlan.get(plan)?.get(schema);
  }

  findOrCompile(plan: Plan, schema: object, compile: () => Compiled): Compiled {
    let known = this.#byPlan.get(plan);
    if (known === undefined) {
      known = new WeakMap();
      this.#byPlan.set(plan, known);
    }
    let compiled = known.get(schema);
    if (compiled === undefined) {
      compiled = compile();
      known.set(schema, compiled);
    }
    return compiled;
  }
}
