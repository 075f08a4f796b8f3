// `node scripts/loaded-by.mjs files|builtins <package>`: prints what importing it loads, as JSON. A process answers one question,
// since watching loads modules of node.
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { receiveMessageOnPort } from 'node:worker_threads';

const root = fileURLToPath(new URL('..', import.meta.url));
const hooks = `
  let seen;
  export function initialize(port) {
    seen = port;
  }
  export function load(url, context, next) {
    seen.postMessage(url);
    return next(url, context);
  }`;

/** Sees ES modules; those that are required stand in node's cache. */
function watchLoading() {
  const { port1, port2 } = new MessageChannel();
  const source = `data:text/javascript,${encodeURIComponent(hooks)}`;
  module.register(source, { data: port2, transferList: [port2] });
  return () => receiveMessageOnPort(port1)?.message;
}

/** Paths below the root of the repository. */
async function importSeeingFiles(id) {
  const nextUrl = watchLoading();
  await import(id);
  const files = Object.keys(module._cache);
  for (let url = nextUrl(); url !== undefined; url = nextUrl())
    if (url.startsWith('file:')) files.push(fileURLToPath(url));
  return [...new Set(files)].map((file) => file.slice(root.length).replaceAll('\\', '/'));
}

/**
 * What the HTTP server of node does not need; of its inner modules only whole libraries. By `require`, since `import` of any CommonJS
 * module loads the parser that finds the names of its exports.
 */
function requireSeeingBuiltins(id) {
  process.getBuiltinModule('node:http');
  const before = new Set(process.moduleLoadList);
  module.createRequire(import.meta.url)(id);
  return process.moduleLoadList
    .filter((loaded) => !before.has(loaded))
    .flatMap((loaded) => /^NativeModule (?!internal\/(?!deps\/))(.*)$/.exec(loaded)?.[1] ?? []);
}

const [kind, id] = process.argv.slice(2);
const loaded = await (kind === 'files' ? importSeeingFiles(id) : requireSeeingBuiltins(id));
console.log(JSON.stringify(loaded.sort()));
// Hooks keep a process running.
process.exit();
