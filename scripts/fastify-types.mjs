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
 *   and import one another and types of other packages.
 * @returns {string} The text of a declaration file.
 * @throws if two modules declare the same name, because all are joined into one module.
 */
export function writeFastifyTypes(folder) {
  const files = readdirSync(`${folder}/types`).map((name) =>
    readDeclarations(`types/${name}`, readFileSync(`${folder}/types/${name}`, 'utf8')),
  );
  checkDuplicates(files);
  const imported = files.flatMap((file) => file.imported);
  const imports = imported.map(({ from, clause }) => `import type ${clause} from '${from}';`);
  const own = [
    "import type * as augmented from 'fastify';",
    `import type { ${classes.join(', ')} } from 'ambit';`,
  ];
  const bodies = files.map(({ name, body }) => `\n  // ---- ${name}\n${body}`);
  return `${header}
declare module '${moduleNames.main}' {
${[...new Set([...own, ...imports])].map((line) => `  ${line}\n`).join('')}${errors}${bodies.join('')}
${writeExports(files, readFileSync(`${folder}/entry.d.cts`, 'utf8'))}}

declare module '${moduleNames.deep}' {
  export type { ${deepNames.join(', ')} } from 'fastify';
}
`;
}

/**
 * What a file imports from other packages, declares and re-exports, and its text without imports and classes. Names of
 * interfaces to which plugins add members refer to `fastify`. Biome has formatted the files, so patterns can read them.
 */
function readDeclarations(name, text) {
  const imports = /^import type (\{[^}]*\}|\* as \w+) from '([^'.][^']*)';/gm;
  const declarations = /^(?:export )?(?:declare )?(?:interface|type|class|const|function) (\w+)/gm;
  const body = prefixAugmented(name, text)
    .replace(/^import [^;]*;/gm, '')
    .replace(/^export declare class .*?^\}/gms, '')
    .replace(/^(export )?declare /gm, '$1');
  return {
    name,
    body,
    imported: [...text.matchAll(imports)]
      .filter(([, , from]) => from !== errorPackage)
      .flatMap(([, names, from]) => readNames(names).map((clause) => ({ from, clause }))),
    declared: [...text.matchAll(declarations)].map(([, declared]) => declared),
    // `export type { A } from 'pino'` repeats a name that is imported.
    reexported: [...text.matchAll(/^export type (\{[^}]*\})/gm)].flatMap(([, names]) => readNames(names)),
  };
}

/** The names in braces, each in braces of its own, or `* as name`. */
function readNames(names) {
  if (names.startsWith('*')) return [names];
  return (names.match(/\w+(?: as \w+)?/g) ?? []).map((name) => `{ ${name} }`);
}

/** What a clause is called in the file. */
const localName = (clause) => /(\w+)(?: \})?$/.exec(clause)[1];

/** Puts the prefix before each reference to an interface to which plugins add members. */
function prefixAugmented(name, text) {
  const { program, errors: parseErrors } = parseSync(name, text);
  if (parseErrors.length > 0) throw new Error(`${name}: ${parseErrors[0].message}`);
  const starts = [];
  new Visitor({
    TSTypeReference({ typeName: { type, name: referred, start } }) {
      if (type === 'Identifier' && augmentedInterfaces.has(referred)) starts.push(start);
    },
  }).visit(program);
  const parts = [0, ...starts].map((start, i) => text.slice(start, starts[i]));
  return parts.join('augmented.');
}

function checkDuplicates(files) {
  const seen = new Map();
  for (const { name, declared } of files)
    for (const each of declared) {
      if (seen.has(each)) throw new Error(`${name} and ${seen.get(each)} both declare \`${each}\``);
      seen.set(each, name);
    }
}

/** The other exports of the facade: names of other packages, and aliases. Without any export, everything would be exported. */
function writeExports(files, entry) {
  const [names] = /(?<=^ {2}export type )\{[^}]*\}/m.exec(entry);
  const aliases = [...entry.matchAll(/^ {2}export type \w+ = .*$/gm)].map(([alias]) => `${alias}\n`);
  const clauses = files.flatMap(({ imported }) => imported.map(({ clause }) => localName(clause)));
  const reexported = files.flatMap((file) => file.reexported.map(localName));
  const missing = readNames(names)
    .map(localName)
    .filter((name) => clauses.includes(name) && !reexported.includes(name));
  return `${aliases.join('')}  export type { ${[...missing, ...classes].join(', ')} };\n`;
}
