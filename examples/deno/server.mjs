// The notes service on Deno: `listen` uses `Deno.serve`, and `node:sqlite` stores the notes.
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import makeApp from '../runtimes/app.mjs';

const { PORT = '3000', DATABASE_FILE = ':memory:' } = process.env;
const database = new DatabaseSync(DATABASE_FILE);
database.exec(readFileSync(new URL('../runtimes/migrations/0001_notes.sql', import.meta.url), 'utf8'));

const app = makeApp({ logger: true, query: async (sql, ...values) => database.prepare(sql).all(...values) });
app.addHook('onClose', async () => database.close());
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => app.close());

console.log(`Notes: ${await app.listen({ port: Number(PORT) })}`);
