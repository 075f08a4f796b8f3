// Owns a plugin of the bundler: what a module imports of node and of CommonJS packages, it gets by `require` instead. The objects
// are the same. But an `import` of a module of node reads all its exports, getters that load half of node among them, and one
// of a CommonJS package starts the parser that finds the names of its exports.
import { parseSync } from 'oxc-parser';

const makeRequire = `import { createRequire as createRequireExternal } from "node:module"; \
const requireExternal = createRequireExternal(import.meta.url); `;

/** @param {(id: string) => boolean} isRequired Whether what goes by this name outside the bundle is got by `require`. */
export function requireExternals(isRequired) {
  return {
    name: 'require-externals',
    renderChunk: (code, { fileName }) => ({ code: replaceImports(fileName, code, isRequired), map: null }),
  };
}

/**
 * Imports as calls of `require`. Every line stays where it is, so that source maps hold.
 *
 * @param {(id: string) => boolean} isRequired
 * @throws When what is required is exported by the same statement.
 */
export function replaceImports(file, code, isRequired) {
  const { staticImports, staticExports } = parseSync(file, code).module;
  for (const { moduleRequest } of staticExports.flatMap(({ entries }) => entries))
    if (moduleRequest && isRequired(moduleRequest.value))
      throw new Error(`${file}: import from ${moduleRequest.value} and export what that gives`);
  let replaced = '';
  let end = 0;
  for (const { start, end: next, moduleRequest, entries } of staticImports) {
    // Without `node:module` there is no `require`.
    if (moduleRequest.value === 'node:module' || !isRequired(moduleRequest.value)) continue;
    const breaks = code.slice(start, next).replace(/[^\n]/g, '');
    replaced += code.slice(end, start) + (end === 0 ? makeRequire : '');
    replaced += writeRequire(moduleRequest.value, entries) + breaks;
    end = next;
  }
  return replaced + code.slice(end);
}

/** The default export of a CommonJS module is what `require` gives, and so is all of it. */
function writeRequire(id, entries) {
  const required = `requireExternal(${JSON.stringify(id)})`;
  const named = entries.filter(({ importName: { kind, name } }) => kind === 'Name' && name !== 'default');
  const whole = entries.filter((entry) => !named.includes(entry)).map(({ localName }) => localName.value);
  const names = named.map(({ importName: { name }, localName: { value } }) =>
    name === value ? name : `${name}: ${value}`,
  );
  const targets = names.length > 0 ? [...whole, `{ ${names.join(', ')} }`] : whole;
  return targets.length > 0
    ? `const ${targets.map((target) => `${target} = ${required}`).join(', ')};`
    : `${required};`;
}
