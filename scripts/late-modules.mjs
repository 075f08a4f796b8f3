// Converts late loading of a source, `require('./name.ts')`, for the tests and for the build. See
// docs/architecture/loading.md.

const lateLoad = /\brequire\('(\.{1,2}\/[^']+\.ts)'\)/g;

/**
 * A plugin for the bundler: each module that is loaded late becomes a separate chunk, with the modules that only it
 * imports.
 */
export function lateChunks() {
  return {
    name: 'late-chunks',
    transform: (code, id) => rewrite(code, id, (path) => `import('${path}')`),
  };
}

/**
 * A plugin for the tests, which run the sources as ES modules, where `require` does not exist. Modules that are loaded late
 * are imported at the start, and the calls of `require` are replaced with them.
 */
export function lateImports() {
  return {
    name: 'late-imports',
    enforce: 'pre',
    transform(code, id) {
      const paths = [];
      const rewritten = rewrite(code, id, (path) => `lateModule${paths.push(path)}`);
      // At the end of the file, so that the line numbers do not change.
      const imports = paths.map((path, i) => `import * as lateModule${i + 1} from '${path}';`);
      return rewritten && { ...rewritten, code: [rewritten.code, ...imports].join('\n') };
    },
  };
}

/** Replaces the calls of `require` without changing line numbers. Returns `undefined` if the source loads nothing late. */
function rewrite(code, id, replace) {
  if (!/\.ts$/.test(id) || id.includes('node_modules') || code.search(lateLoad) === -1) return undefined;
  return { code: code.replace(lateLoad, (_, path) => replace(path)), map: null };
}
