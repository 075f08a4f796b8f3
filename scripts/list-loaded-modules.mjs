// `node scripts/list-loaded-modules.mjs files|builtins <package>`: prints the modules that an import of the package loads,
// as JSON. Each process lists only one of the two kinds, because recording the files loads built-in modules of Node.
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { receiveMessageOnPort } from 'node:worker_threads';

const root = fileURLToPath(new URL('..', import.meta.url));
const hooks = `
  let urls;
  export function initialize(port) {
    urls = port;
  }
  export function load(url, context, next) {
    urls.postMessage(url);
    return next(url, context);
  }`;

/**
 * Records the URLs of ES modules that are loaded. CommonJS modules are in the cache of `require`.
 *
 * @returns A function that returns the next recorded URL.
 */
function recordLoadedUrls() {
  const { port1, port2 } = new MessageChannel();
  const source = `data:text/javascript,${encodeURIComponent(hooks)}`;
  module.register(source, { data: port2, transferList: [port2] });
  return () => receiveMessageOnPort(port1)?.message;
}

/** Returns the paths of the loaded files below the root of the repository. */
async function listImportedFiles(id) {
  const nextUrl = recordLoadedUrls();
  await import(id);
  const files = Object.keys(module._cache);
  for (let url = nextUrl(); url !== undefined; url = nextUrl())
    if (url.startsWith('file:')) files.push(fileURLToPath(url));
  return [...new Set(files)].map((file) => file.slice(root.length).replaceAll('\\', '/'));
}

/**
 * Returns the built-in modules that are loaded in addition to those of Node's HTTP server. Internal modules of Node are
 * left out, except bundled libraries. The package is loaded with `require`, because `import` of a CommonJS module also
 * loads the parser that finds the names of its exports.
 */
function listRequiredBuiltins(id) {
  process.getBuiltinModule('node:http');
  const before = new Set(process.moduleLoadList);
  module.createRequire(import.meta.url)(id);
  return process.moduleLoadList
    .filter((loaded) => !before.has(loaded))
    .flatMap((loaded) => /^NativeModule (?!internal\/(?!deps\/))(.*)$/.exec(loaded)?.[1] ?? []);
}

const [kind, id] = process.argv.slice(2);
const loaded = await (kind === 'files' ? listImportedFiles(id) : listRequiredBuiltins(id));
console.log(JSON.stringify(loaded.sort()));
// The loader hooks would keep the process running.
process.exit();
