import { closeOnSignals } from 'ambit';
import makeApp from './app.ts';

const { PORT, HOST } = process.env;
const port = Number(PORT || 3000);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  throw new Error(`PORT must be a number from 0 to 65535, not "${PORT}"`);
}

const app = makeApp();
// Docker kills a container 10 seconds after the signal. For 2 seconds, everything is still served, until load balancers notice
// that /readyz is 503; then running requests have 6 seconds.
closeOnSignals(app, { delayMs: process.env.NODE_ENV === 'production' ? 2_000 : 0, graceMs: 6_000 });
console.log(`Serving ${await app.listen({ port, host: HOST || 'localhost' })}`);
