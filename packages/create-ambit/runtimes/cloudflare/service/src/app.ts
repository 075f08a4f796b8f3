import type { AmbitOptions } from 'ambit';
import { attachments } from './attachments.ts';
import { type Base, makeBase } from './base.ts';
import { guard } from './guard.ts';
import { notes } from './notes.ts';
import type { Platform } from './platform.ts';
import { session, users } from './users.ts';

/** The routes of the application, from which the typed client takes its types. */
export type App = ReturnType<typeof makeApp>;

/** Makes the application. It knows no bindings, so that each test can have its own database. */
export function makeApp(platform: Platform, options: AmbitOptions = {}) {
  return makeBase(platform, options).register(users).register(members);
}

/** All that needs a token. */
function members(context: Base) {
  return guard(context)
    .register(session)
    .register(notes, { prefix: '/notes' })
    .register(attachments, { prefix: '/notes' });
}
