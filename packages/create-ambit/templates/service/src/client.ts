import { client } from 'ambit/client';
import type { App } from './app.ts';

/** A client of the service: without a token, or as the user of the token. */
export function connect(origin: string, token?: string) {
  return client<App>(origin, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
}
