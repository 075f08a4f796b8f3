import { env } from 'cloudflare:workers';
import compiled from '../compiled-schemas.js';
import { makeApp } from './app.ts';
import { openD1 } from './database/d1.ts';
import { openEvents } from './events.ts';
import { openBucket } from './files.ts';
import { logger } from './logger.ts';

export { NoteEvents } from './note-events.ts';

const platform = {
  database: openD1(env.DATABASE),
  files: openBucket(env.FILES),
  events: openEvents(env.EVENTS),
};

/** The compiled schemas are those of the build: workers may not generate code. */
export default makeApp(platform, { compiled, loggerInstance: logger });
