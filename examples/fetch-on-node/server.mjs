// The notes service on Node with `app.fetch`: a separate handler serves the start page, and the application serves
// everything else.
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { serve } from '@ambit/http-engine/fetch';
import makeApp from '../runtimes/app.mjs';

const { PORT = '3000', DATABASE_FILE = ':memory:' } = process.env;
const database = new DatabaseSync(DATABASE_FILE);
database.exec(readFileSync(new URL('../runtimes/migrations/0001_notes.sql', import.meta.url), 'utf8'));

const app = makeApp({ logger: true, query: async (sql, ...values) => database.prepare(sql).all(...values) });
app.addHook('onClose', async () => database.close());

const page = '<!doctype html><title>Notes</title><a href="/docs">The routes</a>';

function handle(request, server) {
  if (new URL(request.url).pathname !== '/') return app.fetch(request, server);
  return new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } });
}

const server = await serve(handle, { port: Number(PORT), hostname: 'localhost' });
console.log(`Notes: ${server.url}`);

// The server closes first. Then the application finishes its running requests, and closes the database.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, async () => {
    await server.close();
    await app.close();
  });
