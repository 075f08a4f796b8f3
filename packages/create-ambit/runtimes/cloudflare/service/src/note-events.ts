import { DurableObject } from 'cloudflare:workers';
import type { Note } from './events.ts';

/** How many notes are kept for requests that have not seen them yet. */
const keptNotes = 100;

/** The new notes of one user. */
export class NoteEvents extends DurableObject {
  #count = 0;
  #latest: Note[] = [];
  readonly #waiting: (() => void)[] = [];

  publish(note: Note) {
    this.#count += 1;
    this.#latest = [...this.#latest, note].slice(-keptNotes);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** @returns How many notes there have been. */
  count() {
    return this.#count;
  }

  /** Waits until there are more notes than the caller has seen, and returns those. */
  async after(seen: number) {
    if (this.#count === seen) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return { count: this.#count, notes: this.#latest.slice(seen - this.#count) };
  }
}
