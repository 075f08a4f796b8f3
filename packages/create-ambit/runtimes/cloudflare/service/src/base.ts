import { openapi } from '@ambit/openapi';
import rateLimit from '@fastify/rate-limit';
import { type AmbitOptions, ambit } from 'ambit';
import type { Platform } from './platform.ts';
import { noteSchema, problemSchema, userSchema } from './schemas.ts';

/** The context of every part of the application: it has the database, the files, the events and the shared schemas. */
export type Base = ReturnType<typeof makeBase>;

export function makeBase({ database, files, events }: Platform, options: AmbitOptions) {
  return (
    // Errors are problem details (RFC 9457), and no route sends what its schema does not declare.
    ambit({ errors: 'problem', responses: 'declared', health: true, handlerTimeout: 10_000, ...options })
      .decorate('database', database)
      .decorate('files', files)
      .decorate('events', events)
      // Each worker counts for itself. A rule of Cloudflare in front of the workers counts for all of them.
      .register(rateLimit, { max: 300, timeWindow: '1 minute' })
      .register(openapi, { info: { title: 'Notes', version: '0.1.0' } })
      .addSchema(userSchema)
      .addSchema(noteSchema)
      .addSchema(problemSchema)
      // Every route needs the database.
      .addReadinessCheck('database', () => database.query('select 1'))
  );
}
