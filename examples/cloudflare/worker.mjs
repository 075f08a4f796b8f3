// Notes on Cloudflare Workers: the export is what workerd serves, and the database D1 keeps them.
import { env } from 'cloudflare:workers';
import makeApp from '../runtimes/app.mjs';
import compiled from './compiled-schemas.js';

async function query(sql, ...values) {
  const { results } = await env.DATABASE.prepare(sql)
    .bind(...values)
    .all();
  return results;
}

/** The compiled schemas are those of the build: workers may not generate code. */
export default makeApp({ compiled, query });
