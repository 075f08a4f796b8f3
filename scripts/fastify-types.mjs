// Creates the declarations that replace `fastify` if no package of that name is installed, so that the types of
// published plugins work with `ambit` alone: the declarations of the facade, in one ambient module.
import { readdirSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';

/**
 * The module name is a pattern that matches only `fastify`. The compiler tries patterns last, so an installed `fastify`
 * is used instead. The deep imports are declared in the same way.
 */
const moduleNames = { main: 'fasti*fy', deep: 'fastify/types/*' };

/** The names that published plugins import with deep imports. */
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
  const read = (name) => readDeclarations(name, readFileSync(`${folder}/${name}`, 'utf8'));
  const files = readdirSync(`${folder}/types`).map((name) => read(`types/${name}`));
  checkDuplicates(files);
  const bodies = files.map(({ name, text }) => `\n  // ---- ${name}\n${writeBody(name, text)}`);
  return `${header}
declare module '${moduleNames.main}' {
${writeImports(files)}${errors}${bodies.join('')}
${writeExports(files, readFileSync(`${folder}/entry.d.cts`, 'utf8'))}}

declare module '${moduleNames.deep}' {
  export type { ${deepNames.join(', ')} } from 'fastify';
}
`;
}

/** The imports of a file from other packages, and its declarations. */
function readDeclarations(name, text) {
  const { body } = parse(name, text);
  const imports = body.filter(({ type }) => type === 'ImportDeclaration');
  const declared = body.map((node) => node.declaration ?? node).filter((node) => node.id !== undefined);
  return {
    name,
    text,
    reexported: body.flatMap(({ type, specifiers }) =>
      type === 'ExportNamedDeclaration' ? specifiers.map(({ local }) => local.name) : [],
    ),
    imported: imports.filter(({ source }) => !source.value.startsWith('.')).flatMap(listImported),
    names: declared.map(({ id }) => id.name),
  };
}

function listImported({ source, specifiers }) {
  return specifiers.map(({ type, imported, local }) => ({
    from: source.value,
    local: local.name,
    clause:
      type === 'ImportNamespaceSpecifier'
        ? `* as ${local.name}`
        : `{ ${imported.name === local.name ? local.name : `${imported.name} as ${local.name}`} }`,
  }));
}

function checkDuplicates(files) {
  const seen = new Map();
  for (const { name, names } of files) {
    for (const declared of names) {
      if (seen.has(declared))
        throw new Error(`${name} and ${seen.get(declared)} both declare \`${declared}\``);
      seen.set(declared, name);
    }
  }
}

function writeImports(files) {
  const lines = files
    .flatMap(({ imported }) => imported)
    .filter(({ from }) => from !== errorPackage)
    .map(({ from, clause }) => `  import type ${clause} from '${from}';\n`);
  const own = [
    "  import type * as augmented from 'fastify';\n",
    `  import type { ${classes.join(', ')} } from 'ambit';\n`,
  ];
  return [...new Set([...own, ...lines])].join('');
}

/** The other exports of the facade: names of other packages, and aliases. Without any export, everything would be exported. */
function writeExports(files, entry) {
  const all = files.flatMap((file) => file.imported).filter(({ from }) => from !== errorPackage);
  const imported = new Set(all.map(({ local }) => local));
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
  const reexported = new Set(files.flatMap((file) => file.reexported));
  const missing = [...names].filter((name) => imported.has(name) && !reexported.has(name));
  return `${aliases.join('')}  export type { ${[...missing, ...classes].join(', ')} };\n`;
}

/** The text without its imports and classes. Names of interfaces to which plugins add members refer to `fastify`. */
function writeBody(name, text) {
  const program = parse(name, text);
  const edits = [];
  const drop = ({ start, end }) => edits.push({ start, end, replacement: '' });
  new Visitor({
    ImportDeclaration: drop,
    // `export type { A } from 'pino'` repeats a name that is imported.
    ExportNamedDeclaration: (node) =>
      node.declaration
        ? edits.push({ start: node.start, end: node.declaration.start, replacement: 'export ' })
        : edits.push({ start: node.start, end: node.end, replacement: text.slice(node.start, node.end) }),
    TSTypeReference: ({ typeName }) =>
      typeName.type === 'Identifier' &&
      augmentedInterfaces.has(typeName.name) &&
      edits.push({ start: typeName.start, end: typeName.start, replacement: 'augmented.' }),
  }).visit(program);
  for (const node of program.body) {
    const declared = node.declaration ?? node;
    if (declared.type === 'ClassDeclaration')
      edits.push({ start: node.start, end: node.end, replacement: '' });
    else if (declared.declare)
      edits.push({ start: declared.start, end: declared.start + 'declare '.length, replacement: '' });
  }
  return applyEdits(text, edits);
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

/** @throws if the text does not parse */
function parse(name, text) {
  const { program, errors: parseErrors } = parseSync(name, text);
  if (parseErrors.length > 0) throw new Error(`${name}: ${parseErrors[0].message}`);
  return program;
}
