import { openapi } from '@ambit/openapi';
import rateLimit from '@fastify/rate-limit';
import { ambit } from 'ambit';
import type { Config } from './config.ts';
import { database } from './database/database.ts';
import { makeEvents } from './events.ts';
import { openFiles } from './files.ts';
import { noteSchema, problemSchema, userSchema } from './schemas.ts';

/** The context of every part of the application: it has the database, the files, the events and the shared schemas. */
export type Base = ReturnType<typeof makeBase>;

export function makeBase(config: Config) {
  return ambit({
    logger: { level: config.logLevel },
    // Errors are problem details (RFC 9457), and no route sends what its schema does not declare.
    errors: 'problem',
    responses: 'declared',
    // /livez says that the process works, and /readyz that it should get requests: the database answers.
    health: true,
    trustProxy: config.trustProxy,
    // What the application cannot serve in time is refused at once, with 503.
    overload: true,
    handlerTimeout: 10_000,
  })
    .register(database, config)
    .decorate('files', openFiles(config.uploadsFolder))
    .decorate('events', makeEvents())
    .register(rateLimit, { max: 300, timeWindow: '1 minute' })
    .register(openapi, { info: { title: 'Notes', version: '0.1.0' } })
    .addSchema(userSchema)
    .addSchema(noteSchema)
    .addSchema(problemSchema);
}
