// A setup file of the tests. Each instance of Ajv compiles its meta-schema before its first schema, which takes longer than
// most schemas of the tests do. Here, an instance that would generate the same code gets what another one has compiled.
import { createRequire } from 'node:module';

const { default: Core } = createRequire(import.meta.url)('ajv/dist/core.js');
const patched = Symbol.for('ambit.shared-meta-schemas');
/** Options that the code does not depend on. */
const ignored = ['logger', 'schemas', 'keywords', 'formats'];
/** Definitions have functions and primitive values so deep. */
const deepest = 2;

if (!Core.prototype[patched]) {
  const compileMetaSchema = Core.prototype._compileMetaSchema;
  /** By the meta-schema, and by what the code depends on besides. */
  const compiled = new WeakMap();

  Core.prototype[patched] = true;
  Core.prototype._compileMetaSchema = function compileOnce(env) {
    // Code that is written to a file names what it has compiled.
    if (this.opts.code.source) return compileMetaSchema.call(this, env);
    const known = compiled.get(env.schema) ?? new Map();
    const key = conditionsOf(this);
    env.validate = known.get(key);
    if (env.validate !== undefined) return;
    compileMetaSchema.call(this, env);
    compiled.set(env.schema, known.set(key, env.validate));
  };
}

/** What the code of a meta-schema depends on, as text: options, keywords and formats, with the texts of functions. */
function conditionsOf(ajv) {
  const { _metaOpts: options, RULES, formats } = ajv;
  const used = Object.entries(options).filter(([name]) => !ignored.includes(name));
  const keywords = Object.entries(RULES.all).map(([name, { definition }]) => [name, definition]);
  return [
    ajv.constructor.name,
    ...[...used, ...keywords, ...Object.entries(formats)].map((part) => describe(part, 0)),
  ].join('\n');
}

function describe([name, value], depth) {
  if (typeof value !== 'object' || value === null || value instanceof RegExp)
    return `${name}: ${String(value)}`;
  const parts = depth === deepest ? [] : Object.entries(value);
  return `${name}: {${parts.map((part) => describe(part, depth + 1))}}`;
}
