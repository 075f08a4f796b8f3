import makeApp from './app.ts';

const { PORT, HOST } = process.env;
const port = Number(PORT || 3000);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  throw new Error(`PORT must be a number from 0 to 65535, not "${PORT}"`);
}

const app = makeApp();
console.log(`Serving ${await app.listen({ port, host: HOST || 'localhost' })}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => app.close());
