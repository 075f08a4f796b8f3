// One replica. A fleet starts several of them: see start.mjs, compose.yaml and kubernetes/.
import { closeOnSignals } from 'ambit';
import { makeApp } from './src/app.mjs';
import { readConfig } from './src/config.mjs';

const config = readConfig(process.env);
const app = makeApp(config);
closeOnSignals(app, { delayMs: config.delayMs, graceMs: config.graceMs });
await app.listen({ host: config.host, port: config.port });
