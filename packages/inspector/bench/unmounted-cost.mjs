// Measures the cost of the inspector for an application that does not use it: `node packages/inspector/bench/unmounted-cost.mjs [rounds]`,
// after `npm run build`. Boot, with 50 contexts, 1,000 routes and 300 definitions: without the inspector; with the source lines that it
// records; and without any stack traces, even those of errors. Requests: without the inspector, and with an inspector that is registered
// and off, as in production. It measures CPU time, with a process for each sample, in turns, and prints the minimum of all rounds.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(import.meta.url);
const rounds = Number(process.argv[2] ?? 15);
const requestCount = 30_000;

const variants = {
  'boot, inspector not imported': () => measureBoot(),
  'boot, inspector imported': async () => {
    await import('@ambit/inspector');
    return measureBoot();
  },
  'boot, no stack traces at all': () => {
    Error.captureStackTrace = () => {};
    return measureBoot();
  },
  'stack traces, inspector not imported': () => countTraces(false),
  'stack traces, inspector imported': () => countTraces(true),
  'a request, inspector registered, off': () => measureRequests(true),
  'a request, no inspector': () => measureRequests(false),
};

/** CPU time of a task in milliseconds. */
async function timeCpu(task) {
  const before = process.cpuUsage();
  await task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function measureBoot() {
  const { ambit } = await import('ambit');
  return timeCpu(() => boot(ambit()));
}

async function boot(app) {
  for (let i = 0; i < 50; i++) {
    app.register(async (context) => {
      context.addHook('onRequest', async () => {});
      for (let j = 0; j < 5; j++) context.decorate(`decorator${i}-${j}`, 1);
      for (let j = 0; j < 20; j++) context.get(`/route${i}/${j}`, () => 'ok');
    });
  }
  await app.ready();
}

/** How many stack traces boot collects. */
async function countTraces(isImported) {
  if (isImported) await import('@ambit/inspector');
  const { ambit } = await import('ambit');
  const capture = Error.captureStackTrace;
  let count = 0;
  Error.captureStackTrace = (...args) => {
    count++;
    capture(...args);
  };
  await boot(ambit());
  return count;
}

async function measureRequests(isRegistered) {
  process.env.NODE_ENV = 'production';
  const { ambit } = await import('ambit');
  const { inspector } = await import('@ambit/inspector');
  const app = ambit();
  if (isRegistered) app.register(inspector);
  app.addHook('onRequest', (_request, _reply, done) => done());
  app.get('/', () => 'ok');
  const sendRequests = async (count) => {
    for (let i = 0; i < count; i++) await app.inject('/');
  };
  await sendRequests(requestCount);
  return (await timeCpu(() => sendRequests(requestCount))) / requestCount;
}

const variant = process.argv[3];
if (variant !== undefined) process.stdout.write(String(await variants[variant]()));
else {
  const samples = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of Object.keys(variants)) {
      samples[name].push(Number(spawnSync(process.execPath, [program, '1', name]).stdout));
    }
  }
  for (const [name, values] of Object.entries(samples)) {
    const minimum = Math.min(...values);
    const time = minimum < 1 ? `${(minimum * 1_000).toFixed(2)} µs` : `${minimum.toFixed(1)} ms`;
    console.log(`${name}: ${name.startsWith('stack') ? minimum : time}`);
  }
}
