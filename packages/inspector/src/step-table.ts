/** Gives ids to the steps of routes and to lists of steps, because most routes of an application have the same steps. */
import type { StepModel } from './model.ts';

export class StepTable {
  readonly steps: StepModel[] = [];
  /** Ids of steps, in the order in which they run. */
  readonly lists: number[][] = [];
  readonly #stepIds = new Map<string, number>();
  readonly #listIds = new Map<string, number>();

  /** @returns The id of the list. */
  addList(steps: readonly StepModel[]): number {
    const ids = steps.map((step) => this.#add(step));
    const key = ids.join();
    let id = this.#listIds.get(key);
    if (id === undefined) {
      id = this.lists.push(ids) - 1;
      this.#listIds.set(key, id);
    }
    return id;
  }

  #add(step: StepModel): number {
    const { path, index, name, from, context, plugin, file, function: functionText } = step;
    // Only the last part can contain a line break.
    const key = [path, index, name, from, context, plugin, file, functionText].join('\n');
    let id = this.#stepIds.get(key);
    if (id === undefined) {
      id = this.steps.push(step) - 1;
      this.#stepIds.set(key, id);
    }
    return id;
  }
}
