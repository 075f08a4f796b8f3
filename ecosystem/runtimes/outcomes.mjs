// What each plugin does on each runtime. The test tries all of them, and the table of docs/guide/runtimes.md must say the same.
import { readdirSync } from 'node:fs';

const generatesCode = { workerd: 'cannot', error: /Code generation from strings/ };
const readsWithNull = /"options\.highWaterMark" property must be of type number\. Received null/;

/** Plugins that do not run everywhere: the outcome, and the error of the runtimes where they do not. */
const exceptions = {
  autoload: {
    workerd: 'cannot',
    error: /No such module/,
    note: 'imports files by their paths, and workers cannot: register its plugins by hand',
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
  express: {
    bun: 'not with node:http',
    error: /ECONNRESET/,
    note: "on Bun with the option `engine: 'node'`, `response.json` ends the connection, as with Fastify",
  },
  flash: { note: 'on workerd with `@fastify/session`, which must be imported in a plugin' },
  'http-proxy': {
    note: "on Bun with the option `http: {}`, because Bun's own `undici` has no `Pool`",
  },
  mercurius: {
    note: 'on workerd with its schemas compiled in the build, and without subscriptions',
  },
  passport: { note: 'on workerd with `@fastify/session`, which must be imported in a plugin' },
  postgres: {
    note: 'on workerd with the option `maxUses: 1`: a worker may use a connection only in the request that opened it',
  },
  'rate-limit': {
    note: 'its key is `request.ip`: pass the second argument on to `app.fetch`; on workerd, requests need the field `cf-connecting-ip`',
  },
  redis: {
    workerd: 'cannot',
    error: /Command timed out/,
    note: 'has one connection, and a worker may use a connection only in the request that opened it',
  },
  'reply-from': {
    note: "on Bun with the option `http: {}`, because Bun's own `undici` has no `Pool`",
  },
  'response-validation': {
    ...generatesCode,
    note: 'compiles its schemas with Ajv',
  },
  'secure-session': {
    workerd: 'cannot',
    error: /__filename is not defined/,
    note: 'its cryptography is a native add-on',
  },
  scalar: { package: '@scalar/fastify-api-reference' },
  schedule: {
    workerd: 'cannot',
    error: /the job has not run/,
    note: 'workers run code only during requests: use cron triggers',
  },
  session: { note: 'on workerd, imported in a plugin: it makes random bytes while it is imported' },
  static: {
    workerd: 'cannot',
    error: readsWithNull,
    note: 'its routes read files with `highWaterMark: null`, which workerd refuses: use the assets of the worker, or `reply.sendFile` with `{ highWaterMark: 65536 }` for files of the bundle',
  },
  'swagger-ui': {
    workerd: 'cannot',
    error: readsWithNull,
    note: 'serves its assets with `@fastify/static`: use the page of `@ambit/openapi`',
  },
  'under-pressure': {
    deno: 'cannot',
    workerd: 'cannot',
    error: /no response had the status 503|monitorEventLoopDelay method is not implemented/,
    note: 'on Bun with `maxEventLoopDelay`, not `maxEventLoopUtilization`. Deno measures neither delay nor utilization of its event loop: only the heap and RSS limits and health checks work. On workerd, use the limits of Workers',
  },
  view: {
    note: 'on workerd with an engine that generates no code, such as Mustache, and templates as text modules: their folder is `/bundle`',
  },
  websocket: {
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
