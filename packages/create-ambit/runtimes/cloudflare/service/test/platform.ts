import { EventEmitter, on } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Database } from '../src/database/database.ts';
import type { Events, Note } from '../src/events.ts';
import { type Files, upload } from '../src/files.ts';
import type { Platform } from '../src/platform.ts';

/** What stands in for the bindings of the worker: a database, files and events in memory. */
export function makePlatform(): Platform {
  return { database: makeDatabase(), files: makeFiles(), events: makeEvents() };
}

/** D1 is SQLite. */
function makeDatabase(): Database {
  const sqlite = new DatabaseSync(':memory:');
  const folder = join(import.meta.dirname, '../migrations');
  for (const file of readdirSync(folder).sort()) sqlite.exec(readFileSync(join(folder, file), 'utf8'));
  return {
    async query(sql, ...values) {
      const named = Object.fromEntries(values.map((value, i) => [`$${i + 1}`, value]));
      return sqlite.prepare(sql).all(named);
    },
  };
}

function makeFiles(): Files {
  const stored = new Map<string, Blob>();
  return {
    upload,
    async save(id, file) {
      stored.set(id, new Blob([await file.arrayBuffer()]));
    },
    async read(id) {
      return (stored.get(id) ?? new Blob()).stream();
    },
    async remove(id) {
      stored.delete(id);
    },
  };
}

function makeEvents(): Events {
  const emitter = new EventEmitter();
  return {
    async publish(userId, note) {
      emitter.emit(userId, note);
    },
    async subscribe(userId, signal) {
      return read(on(emitter, userId, { signal }));
    },
  };
}

async function* read(events: AsyncIterable<Note[]>) {
  for await (const notes of events) yield* notes;
}
