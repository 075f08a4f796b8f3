import type { Database } from './database/database.ts';
import type { Events } from './events.ts';
import type { Files } from './files.ts';

/** What the application needs of the place where it runs: the worker has bindings, and a test has memory. */
export interface Platform {
  database: Database;
  files: Files;
  events: Events;
}
