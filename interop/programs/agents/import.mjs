// Prints what both kinds of hooks are shown by an `import`, and whether the application gets what they made of it.
import { register } from 'node:module';
import { relative } from 'node:path';
import { Hook as ImportHook } from 'import-in-the-middle';
import { Hook as RequireHook } from 'require-in-the-middle';

register('import-in-the-middle/hook.mjs', import.meta.url);
const imported = [];
const required = [];
new ImportHook(['fastify'], (exports, name, folder) => {
  imported.push([name, relative(process.cwd(), folder), Object.keys(exports).sort()]);
  exports.fastify = exports.default = Object.assign(() => {}, { isWrapped: true });
});
new RequireHook(['fastify'], (exports, name) => {
  required.push(name);
  return exports;
});
const { default: byDefault, fastify } = await import('fastify');
console.log(JSON.stringify({ imported, required, isWrapped: [byDefault.isWrapped, fastify.isWrapped] }));
