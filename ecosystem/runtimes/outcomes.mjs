// What each plugin does on each runtime. The test tries all of them, and the table of docs/guide/runtimes.md must say the same.
import { readdirSync } from 'node:fs';

const generatesCode = { workerd: 'cannot', error: /Code generation from strings/ };
const readsFilename = { workerd: 'cannot', error: /__filename is not defined/ };

/** Plugins that do not run everywhere by `app.fetch`: the outcome, and the error of the runtimes where they do not. */
const exceptions = {
  autoload: {
    workerd: 'cannot',
    error: /no such file or directory/,
    note: 'imports the files of a folder, and a worker is one bundle: register its plugins by hand',
  },
  'csrf-protection': {
    ...generatesCode,
    note: 'generates code',
  },
  env: {
    ...generatesCode,
    note: 'compiles its schema with Ajv: read `env` of `cloudflare:workers`',
  },
  'fastify-metrics': {
    workerd: 'cannot',
    error: /BroadcastChannel method is not implemented/,
    note: 'its client of Prometheus needs `node:cluster` and `BroadcastChannel`',
  },
  flash: { ...readsFilename, note: 'needs a session plugin' },
  'http-proxy': {
    note: "on Bun with the option `http: {}`, because Bun's own `undici` has no `Pool`",
  },
  mercurius: {
    note: 'on workerd with its schemas compiled in the build, and without subscriptions',
  },
  passport: { ...readsFilename, note: 'needs a session plugin' },
  'reply-from': {
    note: "on Bun with the option `http: {}`, because Bun's own `undici` has no `Pool`",
  },
  'response-validation': {
    ...generatesCode,
    note: 'compiles its schemas with Ajv',
  },
  'secure-session': {
    ...readsFilename,
    note: 'its cryptography is a native add-on',
  },
  session: {
    workerd: 'cannot',
    error: /generating random values are not allowed within global scope/,
    note: 'makes random bytes while it is imported',
  },
  static: { workerd: 'cannot', error: /text\/plain/, note: 'reads files: use the assets of the worker' },
  'swagger-ui': {
    workerd: 'cannot',
    error: /__dirname is not defined/,
    note: 'reads files: use the page of `@ambit/openapi`',
  },
  'under-pressure': {
    workerd: 'cannot',
    error: /monitorEventLoopDelay method is not implemented/,
    note: 'measures the process: use the limits of Workers',
  },
  view: {
    ...generatesCode,
    note: 'reads files, and engines generate code',
  },
  websocket: {
    node: 'needs node:http',
    bun: 'needs node:http',
    deno: 'needs node:http',
    workerd: 'cannot',
    error: /the event 'upgrade' of app\.server: not available in this runtime/,
    note: "needs the sockets of a server: `listen`, on Bun and Deno with the option `engine: 'node'`",
  },
};

const runsEverywhere = {
  node: 'runs',
  bun: 'runs',
  deno: 'runs',
  workerd: 'runs',
  error: undefined,
  note: '',
};

/** Names of packages that are not in the scope `@fastify`. */
const unscoped = /^(fastify-|mercurius)/;

/** By the name of the file in `plugins/`. */
export const outcomes = Object.fromEntries(
  readdirSync(new URL('plugins', import.meta.url))
    .map((file) => file.replace('.mjs', ''))
    .sort()
    .map((name) => [
      name,
      {
        package: unscoped.test(name) ? name : `@fastify/${name}`,
        ...runsEverywhere,
        ...exceptions[name],
      },
    ]),
);

/** The table of the guide, in Markdown. */
export function makeTable() {
  const rows = Object.values(outcomes).map(
    ({ package: name, node, bun, deno, workerd, note }) =>
      `| \`${name}\` | ${node} | ${bun} | ${deno} | ${workerd} | ${note} |`,
  );
  return [
    '| plugin | Node | Bun | Deno | workerd | |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
