// The notes service on Bun: `listen` uses `Bun.serve`, and `bun:sqlite` stores the notes.
import { Database } from 'bun:sqlite';
import { readFileSync } from 'node:fs';
import makeApp from '../runtimes/app.mjs';

const { PORT = '3000', DATABASE_FILE = ':memory:' } = process.env;
const database = new Database(DATABASE_FILE);
database.run(readFileSync(new URL('../runtimes/migrations/0001_notes.sql', import.meta.url), 'utf8'));

const app = makeApp({ logger: true, query: async (sql, ...values) => database.query(sql).all(...values) });
app.addHook('onClose', async () => database.close());
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => app.close());

console.log(`Notes: ${await app.listen({ port: Number(PORT) })}`);
