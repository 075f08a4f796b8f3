// Creates the declarations that replace `fastify` if no package of that name is installed, so that the types of
// published plugins work with `ambit` alone: the declarations of the facade, in one ambient module.
import { readdirSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';

/**
 * The module name is a pattern that matches only `fastify`. The compiler tries patterns last, so an installed `fastify`
 * is used instead. The deep imports are declared in the same way.
 */
const moduleNames = { main: 'fasti*fy', deep: 'fastify/types/*' };

const deepNames = [
  'FastifyReply',
  'FastifyRequest',
  'RouteGenericInterface',
  'preCloseAsyncHookHandler',
  'preCloseHookHandler',
];

/** Ambit does not depend on this package, and only two of its types are needed, so they are declared here. */
const errorPackage = '@fastify/error';
const errors = `
  /** An error of the framework. */
  export interface FastifyError extends Error {
    code: string;
    name: string;
    statusCode?: number;
    validation?: FastifySchemaValidationError[];
    validationContext?: SchemaErrorDataVar;
  }
  interface FastifyErrorConstructor<
    E extends { code: string; statusCode?: number } = { code: string; statusCode?: number },
    T extends unknown[] = [any?, any?, any?],
  > {
    new (...arg: T): FastifyError & E;
    (...arg: T): FastifyError & E;
    readonly prototype: FastifyError & E;
  }
`;

/** Classes of Ambit that are exported as types only, because the module has no values at run time. */
const classes = ['LogController'];

/**
 * The interfaces to which plugins add members. Plugins add to the module `fastify`. The pattern sees these additions
 * only if it refers to that module by name.
 */
const augmentedInterfaces = new Set([
  'FastifyContextConfig',
  'FastifyInstance',
  'FastifyReply',
  'FastifyRequest',
  'FastifySchema',
  'RouteShorthandOptions',
]);

const header = `// @ts-nocheck: with an older installed \`fastify\`, this file would have type errors, which do not matter, because it is not used.
/**
 * The declarations of \`fastify\`, for plugins that are typed for it, if no package of that name is installed. Created
 * by scripts/fastify-types.mjs from the declarations of the facade. It contains only types, and nothing to import at
 * run time.
 */
`;

/**
 * @param {string} folder The folder of the facade. `entry.d.cts` lists the exports; the modules in `types` declare them,
 *   and import one another and types of other packages. Biome has formatted them, so patterns can read them.
 * @returns {string} The text of a declaration file, in which all modules are one. If two of them declare the same name,
 *   `npm run check:package` fails, which compiles it.
 */
export function writeFastifyTypes(folder) {
  const modules = readdirSync(`${folder}/types`).map((name) => {
    const text = readFileSync(`${folder}/types/${name}`, 'utf8');
    return `\n  // ---- types/${name}\n${text}`;
  });
  const text = modules.join('');
  const imported = [...text.matchAll(/^import type (\{[^}]*\}|\* as \w+) from '([^'.][^']*)';/gm)]
    .filter(([, , from]) => from !== errorPackage)
    .flatMap(([, names, from]) => readNames(names).map((clause) => ({ from, clause })));
  const imports = [
    "import type * as augmented from 'fastify';",
    `import type { ${classes.join(', ')} } from 'ambit';`,
    ...imported.map(({ from, clause }) => `import type ${clause} from '${from}';`),
  ];
  const body = prefixAugmented(text)
    .replace(/^import [^;]*;/gm, '')
    .replace(/^export declare class .*?^\}/gms, '')
    .replace(/^(export )?declare /gm, '$1');
  // `export type { A } from 'pino'` repeats a name that is imported.
  const reexported = [...text.matchAll(/^export type (\{[^}]*\})/gm)].flatMap(([, names]) =>
    readNames(names),
  );
  const entry = readFileSync(`${folder}/entry.d.cts`, 'utf8');
  const exports = writeExports(
    imported.map(({ clause }) => localName(clause)),
    reexported.map(localName),
    entry,
  );
  return `${header}
declare module '${moduleNames.main}' {
${[...new Set(imports)].map((line) => `  ${line}\n`).join('')}${errors}${body}
${exports}}

declare module '${moduleNames.deep}' {
  export type { ${deepNames.join(', ')} } from 'fastify';
}
`;
}

/** The names in braces, each in braces of its own, or `* as name`. */
function readNames(names) {
  if (names.startsWith('*')) return [names];
  return (names.match(/\w+(?: as \w+)?/g) ?? []).map((name) => `{ ${name} }`);
}

/** What a clause is called in the file. */
const localName = (clause) => /(\w+)(?: \})?$/.exec(clause)[1];

/** Puts the prefix before each reference to an interface to which plugins add members. */
function prefixAugmented(text) {
  const { program, errors: parseErrors } = parseSync('fastify.d.cts', text);
  if (parseErrors.length > 0) throw new Error(`types of the facade: ${parseErrors[0].message}`);
  const starts = [];
  new Visitor({
    TSTypeReference({ typeName: { type, name, start } }) {
      if (type === 'Identifier' && augmentedInterfaces.has(name)) starts.push(start);
    },
  }).visit(program);
  const parts = [0, ...starts].map((start, i) => text.slice(start, starts[i]));
  return parts.join('augmented.');
}

/** The other exports of the facade: names of other packages, and aliases. Without any export, everything would be exported. */
function writeExports(imported, reexported, entry) {
  const [names] = /(?<=^ {2}export type )\{[^}]*\}/m.exec(entry);
  const aliases = [...entry.matchAll(/^ {2}export type \w+ = .*$/gm)].map(([alias]) => `${alias}\n`);
  const missing = readNames(names)
    .map(localName)
    .filter((name) => imported.includes(name) && !reexported.includes(name));
  return `${aliases.join('')}  export type { ${[...missing, ...classes].join(', ')} };\n`;
}
