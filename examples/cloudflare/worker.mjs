// The notes service on Cloudflare Workers: workerd serves the default export, and the database D1 stores the notes.
import { env } from 'cloudflare:workers';
import makeApp from '../runtimes/app.mjs';
import compiled from './compiled-schemas.js';

async function query(sql, ...values) {
  const { results } = await env.DATABASE.prepare(sql)
    .bind(...values)
    .all();
  return results;
}

/** Uses the compiled schemas of the build, because workers may not generate code. */
export default makeApp({ compiled, query });
