// The notes service. Replicas are stateless: the data is in Postgres, sessions and rate limits are in Redis.
import { randomUUID } from 'node:crypto';
import { describeRoutes, openapi } from '@ambit/openapi';
import { ambit } from 'ambit';
import { accounts } from './accounts.mjs';
import { database } from './database.mjs';
import { limits } from './limits.mjs';
import { ownNotes, sharedNotes } from './notes.mjs';
import { sessions } from './sessions.mjs';

/** @param {ReturnType<typeof import('./config.mjs').readConfig>} config */
export function makeApp(config) {
  const app = ambit({
    logger: { level: config.logLevel },
    // Ids that are unique across replicas, so that the `instance` of a problem leads to its log lines.
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy,
    errors: 'problem',
    health: true,
    overload: true,
    handlerTimeout: 10_000,
  });
  app.register(openapi, { info: { title: 'Notes', version: '1.0.0' } });
  app.register(database, config);
  app.register(limits, config);
  app.register(sharedNotes);
  app.register(async function members(context) {
    describeRoutes(context, {
      guards: { session: { type: 'apiKey', in: 'cookie', name: 'session' } },
    });
    context.register(sessions, config);
    context.register(accounts);
    context.register(ownNotes);
  });
  return app;
}
