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
 * interfaces to which plugins add members refer to `fastify`.
 */
function readDeclarations(name, text) {
  const file = { name, imported: [], declared: [], reexported: [] };
  const edits = [];
  const replace = ({ start, end }, replacement = '') => edits.push({ start, end, replacement });
  const program = parse(name, text);
  for (const node of program.body) {
    const { type, source, specifiers, declaration } = node;
    const declared = declaration ?? node;
    if (declared.id !== undefined) file.declared.push(declared.id.name);
    if (type === 'ImportDeclaration') {
      replace(node);
      if (!source.value.startsWith('.') && source.value !== errorPackage)
        file.imported.push(...specifiers.map((specifier) => readImport(source.value, specifier)));
    } else if (declared.type === 'ClassDeclaration') replace(node);
    else if (declaration) replace({ start: node.start, end: declaration.start }, 'export ');
    // `export type { A } from 'pino'` repeats a name that is imported.
    else if (type === 'ExportNamedDeclaration') {
      file.reexported.push(...specifiers.map(({ local }) => local.name));
      replace(node, text.slice(node.start, node.end));
    }
    if (declared.declare) replace({ start: declared.start, end: declared.start + 'declare '.length });
  }
  new Visitor({
    TSTypeReference: ({ typeName: { type, name: referred, start } }) =>
      type === 'Identifier' &&
      augmentedInterfaces.has(referred) &&
      replace({ start, end: start }, 'augmented.'),
  }).visit(program);
  return { ...file, body: applyEdits(text, edits) };
}

function readImport(from, { type, imported, local: { name } }) {
  if (type === 'ImportNamespaceSpecifier') return { from, name, clause: `* as ${name}` };
  return { from, name, clause: `{ ${imported.name === name ? name : `${imported.name} as ${name}`} }` };
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
  const names = new Set();
  const aliases = [];
  new Visitor({
    TSModuleBlock: ({ body }) => {
      for (const { exportKind, declaration, specifiers = [] } of body) {
        if (exportKind === 'type') for (const { local } of specifiers) names.add(local.name);
        if (declaration?.type === 'TSTypeAliasDeclaration')
          aliases.push(`  export ${entry.slice(declaration.start, declaration.end)}\n`);
      }
    },
  }).visit(parse('entry.d.cts', entry));
  const imported = new Set(files.flatMap((file) => file.imported.map(({ name }) => name)));
  const reexported = new Set(files.flatMap((file) => file.reexported));
  const missing = [...names].filter((name) => imported.has(name) && !reexported.has(name));
  return `${aliases.join('')}  export type { ${[...missing, ...classes].join(', ')} };\n`;
}

function applyEdits(text, edits) {
  let written = '';
  let at = 0;
  for (const { start, end, replacement } of edits.sort((a, b) => a.start - b.start || b.end - a.end)) {
    // Inside an earlier edit.
    if (start < at) continue;
    written += text.slice(at, start) + replacement;
    at = end;
  }
  return written + text.slice(at);
}

function parse(name, text) {
  const { program, errors: parseErrors } = parseSync(name, text);
  if (parseErrors.length > 0) throw new Error(`${name}: ${parseErrors[0].message}`);
  return program;
}
