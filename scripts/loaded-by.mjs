// `node scripts/loaded-by.mjs files|builtins <package>`: prints as JSON what importing the package loads. Each process
// handles only one of the two, because observing files loads modules of node.
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

/** Observes ES modules; CommonJS modules are in the cache of `require`. */
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
 * The modules that node's HTTP server does not need; of node's internal modules, only whole libraries. Loaded with
 * `require`, because `import` of a CommonJS module loads the parser that finds the names of its exports.
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
// Hooks keep the process running.
process.exit();
