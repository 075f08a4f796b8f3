// Converts late loading of a source, `require('./name.ts')`, for the tests and for the build. See
// docs/architecture/loading.md.

const lateLoad = /\brequire\('(\.{1,2}\/[^']+\.ts)'\)/g;

/**
 * A plugin for the bundler: each module that is loaded late becomes a separate chunk, with the modules that only it
 * imports.
 */
export const lateChunks = () => replaceCalls((path) => `import('${path}')`);

/**
 * A plugin for what runs the sources as ES modules, where Node before version 24 cannot `require` them: modules that are
 * loaded late are imported at the start, and the calls of `require` are replaced with them.
 */
export const lateImports = () =>
  replaceCalls(
    (_, number) => `lateModule${number}`,
    (path, number) => `\nimport * as lateModule${number} from '${path}';`,
  );

/** Replaces the calls, and adds statements at the end of a source, so that no line moves. */
function replaceCalls(replace, importAtEnd = () => '') {
  return {
    name: 'late-modules',
    enforce: 'pre',
    transform(code, id) {
      if (!/\.ts$/.test(id) || id.includes('node_modules') || code.search(lateLoad) === -1) return undefined;
      const paths = [...code.matchAll(lateLoad)].map(([, path]) => path);
      let number = 0;
      const replaced = code.replace(lateLoad, (_, path) => replace(path, number++));
      return { code: replaced + paths.map(importAtEnd).join(''), map: null };
    },
  };
}
