// Owns the form in which a source loads another source late, `require('./name.ts')`, for tests and for the build. See
// docs/architecture/loading.md.

const lateLoad = /\brequire\('(\.{1,2}\/[^']+\.ts)'\)/g;

/**
 * A plugin for the bundler: each module that is loaded late becomes a chunk of its own, with the modules that only it
 * imports.
 */
export function lateChunks() {
  return {
    name: 'late-chunks',
    transform: (code, id) => rewrite(code, id, (path) => `import('${path}')`),
  };
}

/**
 * A plugin for the tests, which run the sources as ES modules: there, `require` does not exist. What is loaded late is
 * imported at the start, and `require` returns it.
 */
export function lateImports() {
  return {
    name: 'late-imports',
    enforce: 'pre',
    transform(code, id) {
      const paths = [];
      const rewritten = rewrite(code, id, (path) => `lateModule${paths.push(path)}`);
      // At the end, where they move no line.
      const imports = paths.map((path, i) => `import * as lateModule${i + 1} from '${path}';`);
      return rewritten && { ...rewritten, code: [rewritten.code, ...imports].join('\n') };
    },
  };
}

/** Nothing if the source loads nothing late. Every line stays in its place. */
function rewrite(code, id, replace) {
  if (!/\.ts$/.test(id) || id.includes('node_modules') || code.search(lateLoad) === -1) return undefined;
  return { code: code.replace(lateLoad, (_, path) => replace(path)), map: null };
}
