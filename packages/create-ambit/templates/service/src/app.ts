import { attachments } from './attachments.ts';
import { type Base, makeBase } from './base.ts';
import { type Config, readConfig } from './config.ts';
import { guard } from './guard.ts';
import { health } from './health.ts';
import { notes } from './notes.ts';
import { users } from './users.ts';

/** The routes of the application, from which the typed client takes its types. */
export type App = ReturnType<typeof makeApp>;

/** Creates the application. It opens no port, so that each test can have its own application. */
export function makeApp(config: Config) {
  return makeBase(config).register(health).register(users).register(members);
}

/** The application that `ambit dev` and `ambit start` serve, with the configuration of the environment. */
export default () => makeApp(readConfig(process.env));

/** The routes that need a token. */
function members(context: Base) {
  return guard(context).register(notes, { prefix: '/notes' }).register(attachments, { prefix: '/notes' });
}
