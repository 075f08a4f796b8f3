// One replica of the service. start.mjs, compose.yaml and kubernetes/ start several of them.
import { closeOnSignals } from 'ambit';
import { makeApp } from './src/app.mjs';
import { readConfig } from './src/config.mjs';

const config = readConfig(process.env);
const app = makeApp(config);
closeOnSignals(app, { delayMs: config.delayMs, graceMs: config.graceMs });
await app.listen({ host: config.host, port: config.port });
