import { EventEmitter, on } from 'node:events';

export interface Note {
  id: string;
  text: string;
  createdAt: string;
  attachment: string | null;
}

/** New notes, by the id of the user. With several processes, send them through the database. */
export function makeEvents() {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    async publish(userId: string, note: Note) {
      emitter.emit(userId, note);
    },

    /** @returns The notes from now on, until the signal aborts. */
    async subscribe(userId: string, signal: AbortSignal) {
      return read(on(emitter, userId, { signal }));
    },
  };
}

async function* read(events: AsyncIterable<Note[]>) {
  for await (const notes of events) yield* notes;
}
