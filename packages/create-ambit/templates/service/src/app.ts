import { attachments } from './attachments.ts';
import { type Base, makeBase } from './base.ts';
import { type Config, readConfig } from './config.ts';
import { guard } from './guard.ts';
import { health } from './health.ts';
import { notes } from './notes.ts';
import { users } from './users.ts';

/** The routes of the application, from which the typed client takes its types. */
export type App = ReturnType<typeof makeApp>;

/** Makes the application. It opens no port, so that each test can have its own. */
export function makeApp(config: Config) {
  return makeBase(config).register(health).register(users).register(members);
}

/** The application with the configuration of the environment: what `ambit dev` and `ambit start` serve. */
export default () => makeApp(readConfig(process.env));

/** All that needs a token. */
function members(context: Base) {
  return guard(context).register(notes, { prefix: '/notes' }).register(attachments, { prefix: '/notes' });
}
