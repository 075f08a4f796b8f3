import { existsSync } from 'node:fs';
import { makeApp } from './app.ts';
import { readConfig } from './config.ts';

if (existsSync('.env')) process.loadEnvFile('.env');

const config = readConfig(process.env);
const app = makeApp(config);

// Requests that are running get their responses before the process ends.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => app.close());

await app.listen({ port: config.port, host: config.host });
