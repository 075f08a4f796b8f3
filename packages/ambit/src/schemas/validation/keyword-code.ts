/** Mends the code that Ajv writes for some keywords: numbers without an end, and properties with the names that every object has. */
import type { Ajv, KeywordCxt } from 'ajv';
import { lazyModule, require } from '../../shared/lazy-module.ts';

export const loadAjv: () => typeof import('ajv') = lazyModule<typeof import('ajv')>(() => require('ajv'));

type KeywordCode = (context: KeywordCxt, ruleType?: string) => void;

/** Replaces the function that writes the code of a keyword. `write` calls the replaced one. */
export function replaceCode(
  engine: Ajv,
  keyword: string,
  replacement: (context: KeywordCxt, write: () => void) => void,
): void {
  // Each Ajv has its own copies of the definition: one for each type that the keyword applies to.
  for (const rule of engine.RULES.rules.flatMap(({ rules }) => rules)) {
    const definition = rule.definition as { code?: KeywordCode };
    if (rule.keyword !== keyword || definition.code === undefined) continue;
    const { code } = definition;
    definition.code = (context, ruleType) => replacement(context, () => code(context, ruleType));
  }
}

/**
 * Makes the types `number` and `integer` refuse what has overflowed. Ajv converts the text `1e999` to `Infinity`, and then skips all
 * keywords for numbers, because `Infinity` is none to it.
 */
export function refuseOverflow(engine: Ajv): void {
  const definition = engine.getKeyword('type');
  if (typeof definition !== 'object') return;
  const { _ } = loadAjv();
  Object.assign(definition, {
    error: {
      message: ({ schema }: KeywordCxt) => `must be ${schema}`,
      params: ({ schemaValue }: KeywordCxt) => _`{type: ${schemaValue}}`,
    },
    code(context: KeywordCxt) {
      const types: readonly unknown[] = [context.schema].flat();
      if (types.includes('number') || types.includes('integer')) {
        context.fail(_`typeof ${context.data} == "number" && !isFinite(${context.data})`);
      }
    },
  });
}

/**
 * Makes Ajv look at own properties where a schema has a name such as `constructor`, which every object inherits. Ajv's option
 * `ownProperties` does the same for all names, and costs time for each of them.
 */
export function readOwnNames(engine: Ajv): void {
  for (const keyword of [
    'required',
    'properties',
    'dependencies',
    'dependentRequired',
    'dependentSchemas',
  ] as const) {
    replaceCode(engine, keyword, (context, write) => {
      const { schema, it } = context;
      // With `$data`, the names are in the data.
      const names = context.$data ? Object.getOwnPropertyNames(Object.prototype) : namesIn(schema);
      if (!names.some((name) => name in Object.prototype)) return write();
      assignOwnDefaults(context);
      const { opts } = it;
      Object.assign(it, { opts: { ...opts, ownProperties: true } });
      write();
      Object.assign(it, { opts });
    });
  }
  readOwnEvaluated(engine);
}

/** Ajv reads the names that branches have evaluated from an object: one without inherited names. */
function readOwnEvaluated(engine: Ajv): void {
  const { _, Name } = loadAjv();
  replaceCode(engine, 'unevaluatedProperties', ({ gen, it: { props } }, write) => {
    if (props instanceof Name) {
      gen.if(_`${props} && ${props} !== true`, _`${props} = {__proto__: null, ...${props}}`);
    }
    write();
  });
}

/** The names in a list, or the names of an object and those in the lists that it contains. */
function namesIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema;
  return Object.entries(Object(schema)).flatMap(([name, value]) =>
    Array.isArray(value) ? [name, ...value] : [name],
  );
}

/** Ajv assigns a default only where it reads `undefined`, which it does not for an inherited property. */
function assignOwnDefaults({ gen, data, parentSchema, it }: KeywordCxt): void {
  const { _, stringify } = loadAjv();
  if (!it.opts.useDefaults || it.compositeRule) return;
  for (const [name, property] of Object.entries(Object(parentSchema.properties))) {
    const { default: value } = Object(property) as { default?: unknown };
    // Assigned, `__proto__` would be the prototype.
    if (value === undefined || name === '__proto__' || !(name in Object.prototype)) continue;
    gen.if(
      _`!Object.prototype.hasOwnProperty.call(${data}, ${name})`,
      _`${data}[${name}] = ${stringify(value)}`,
    );
  }
}
