import makeApp from './app.ts';

const { PORT = '3000', HOST = 'localhost' } = process.env;
const app = makeApp();
console.log(`Serving ${await app.listen({ port: Number(PORT), host: HOST })}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => app.close());
