import { EventEmitter } from 'node:events';
import { openapi } from '@ambit/openapi';
import rateLimit from '@fastify/rate-limit';
import { ambit } from 'ambit';
import type { Config } from './config.ts';
import { database } from './database/database.ts';
import { noteSchema, problemSchema, userSchema } from './schemas.ts';

/** The context of every part of the application: it has the database, the shared schemas, the rate limit and the documentation. */
export type Base = ReturnType<typeof makeBase>;

export function makeBase(config: Config) {
  return (
    ambit({ logger: { level: config.logLevel } })
      .register(database, config)
      .decorate('config', config)
      // Events about notes, named by the id of the user. If there are several processes, send them through the database.
      .decorate('events', new EventEmitter().setMaxListeners(0))
      .register(rateLimit, { max: 300, timeWindow: '1 minute' })
      .register(openapi, { info: { title: 'Notes', version: '0.1.0' } })
      .addSchema(userSchema)
      .addSchema(noteSchema)
      .addSchema(problemSchema)
  );
}
