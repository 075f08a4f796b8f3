import type { NoteEvents } from './note-events.ts';

export interface Note {
  id: string;
  text: string;
  createdAt: string;
  attachment: string | null;
}

/** New notes, by the id of the user. */
export interface Events {
  publish(userId: string, note: Note): Promise<void>;
  /** @returns The notes from now on, until the signal aborts. */
  subscribe(userId: string, signal: AbortSignal): Promise<AsyncIterable<Note>>;
}

/** Events through Durable Objects, one for each user: all workers that serve the user share it. */
export function openEvents(objects: DurableObjectNamespace<NoteEvents>): Events {
  const objectOf = (userId: string) => objects.get(objects.idFromName(userId));
  return {
    async publish(userId, note) {
      await objectOf(userId).publish(note);
    },

    async subscribe(userId, signal) {
      const object = objectOf(userId);
      return read(object, await object.count(), signal);
    },
  };
}

async function* read(object: DurableObjectStub<NoteEvents>, from: number, signal: AbortSignal) {
  for (let seen = from; !signal.aborted; ) {
    const { count, notes } = await object.after(seen);
    // The object has forgotten some of them, because the client reads too slowly: it connects again, and gets them from the database.
    if (notes.length !== count - seen) return;
    seen = count;
    yield* notes;
  }
}
