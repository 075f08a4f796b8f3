import { client } from 'ambit/client';
import type { App } from './app.ts';

/** A client whose calls the compiler checks: paths, parameters, bodies and responses are those of the routes. */
export function connect(origin: string, token?: string) {
  return client<App>(origin, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
}
