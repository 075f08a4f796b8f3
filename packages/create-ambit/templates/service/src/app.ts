import { AmbitInstrumentation } from '@ambit/opentelemetry';
import { attachments } from './attachments.ts';
import { type Base, makeBase } from './base.ts';
import { type Config, readConfig } from './config.ts';
import { guard } from './guard.ts';
import { notes } from './notes.ts';
import { session, users } from './users.ts';

/** The routes of the application, from which the typed client takes its types. */
export type App = ReturnType<typeof makeApp>;

/** Creates the application. It opens no port, so that each test can have its own application. */
export function makeApp(config: Config) {
  return makeBase(config).register(users).register(members);
}

/** The application that is served, with the configuration of the environment. */
export default () => {
  const config = readConfig(process.env);
  // Only the instrumentation is here. An SDK, which is loaded before the application, sends spans and metrics.
  if (config.openTelemetry) new AmbitInstrumentation();
  return makeApp(config);
};

/** The routes that need a token. */
function members(context: Base) {
  return guard(context)
    .register(session)
    .register(notes, { prefix: '/notes' })
    .register(attachments, { prefix: '/notes' });
}
