import { EventEmitter } from 'node:events';

export interface Note {
  id: string;
  text: string;
  createdAt: string;
  attachment: string | null;
}

/** How many notes may wait for a slow client. */
const queueLength = 100;

/** New notes, by the id of the user. With several processes, send them through the database. */
export function makeEvents() {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    async publish(userId: string, note: Note) {
      emitter.emit(userId, note);
    },

    /**
     * @returns The notes from now on, until the signal aborts. For a client that reads too slowly they end earlier, so that no
     *   queue grows: the client connects again, and gets what it has missed from the database.
     */
    async subscribe(userId: string, signal: AbortSignal) {
      let release = () => {};
      const start = (controller: ReadableStreamDefaultController<Note>) => {
        const stop = () => {
          release();
          controller.close();
        };
        const add = (note: Note) => {
          if (controller.desiredSize) controller.enqueue(note);
          else stop();
        };
        release = () => {
          emitter.off(userId, add);
          signal.removeEventListener('abort', stop);
        };
        emitter.on(userId, add);
        signal.addEventListener('abort', stop);
        if (signal.aborted) stop();
      };
      return new ReadableStream<Note>({ start, cancel: () => release() }, { highWaterMark: queueLength });
    },
  };
}
