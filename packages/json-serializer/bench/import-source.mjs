// Imports parts of the package that none of its entry points exports.
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const source = fileURLToPath(new URL('../src/', import.meta.url));
const entry = fileURLToPath(new URL('import-source-entry.mjs', import.meta.url));

/** @param {string[]} exported Lines such as `export { strategy } from 'engine.ts';`, with files of the folder `src`. */
export async function importSource(exported) {
  const code = exported
    .map((line) => line.replace(/'(.*)'/, (_, file) => JSON.stringify(source + file)))
    .join('\n');
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    external: /^node:/,
    plugins: [
      {
        name: 'entry',
        load: (id) => (id === entry ? code : undefined),
        resolveId: (id) => (id === entry ? id : undefined),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm' });
  return import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`);
}
