import { EventEmitter } from 'node:events';
import { openapi } from '@ambit/openapi';
import rateLimit from '@fastify/rate-limit';
import { ambit } from 'ambit';
import type { Config } from './config.ts';
import { database } from './database/database.ts';
import { noteSchema, problemSchema, userSchema } from './schemas.ts';

/** What every part of the application finds: the database, the shared schemas, the limit of requests, the documentation. */
export type Base = ReturnType<typeof makeBase>;

export function makeBase(config: Config) {
  return (
    ambit({ logger: { level: config.logLevel } })
      .register(database, config)
      .decorate('config', config)
      // Events of the notes, by the id of the user. With several processes, send them through the database.
      .decorate('events', new EventEmitter().setMaxListeners(0))
      .register(rateLimit, { max: 300, timeWindow: '1 minute' })
      .register(openapi, { info: { title: 'Notes', version: '0.1.0' } })
      .addSchema(userSchema)
      .addSchema(noteSchema)
      .addSchema(problemSchema)
  );
}
