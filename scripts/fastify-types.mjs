// Makes the declarations that stand in for `fastify` where no package of that name is installed, so that the types of published plugins
// work with `ambit` alone: those of the facade, in one ambient module.
import { readdirSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';

/**
 * A pattern, which matches `fastify` alone: the compiler asks patterns last, so a `fastify` that is installed is the one that counts.
 * The deep imports of the real one exist here in the same way.
 */
const moduleNames = { main: 'fasti*fy', deep: 'fastify/types/*' };

/** What published plugins import from there. */
const deepNames = [
  'FastifyReply',
  'FastifyRequest',
  'RouteGenericInterface',
  'preCloseAsyncHookHandler',
  'preCloseHookHandler',
];

/** No dependency of ours: of its types two are needed. */
const errorsOf = '@fastify/error';
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

/** There is nothing to extend at run time: the types of these are ours. */
const classes = ['LogController'];

/** What plugins add to. They add to the module `fastify`, and the pattern does not see it, unless it asks for that name itself. */
const addedTo = new Set([
  'FastifyContextConfig',
  'FastifyInstance',
  'FastifyReply',
  'FastifyRequest',
  'FastifySchema',
  'RouteShorthandOptions',
]);

const head = `// @ts-nocheck: where an older \`fastify\` is installed, this would not go with it, and nothing asks for this.
/**
 * What \`fastify\` declares, for plugins that are typed for it, where no package of that name is installed: made of the declarations of
 * the facade by scripts/fastify-types.mjs. There are types only, and nothing to import at run time.
 */
`;

/**
 * @param {string} folder The facade's: `entry.d.cts` says what is exported, the modules in `types` declare it, and import one another and
 *   types of other packages.
 * @returns {string} The text of a declaration file.
 * @throws when two of them declare one name, which would be one in one module.
 */
export function writeFastifyTypes(folder) {
  const read = (name) => readDeclarations(name, readFileSync(`${folder}/${name}`, 'utf8'));
  const files = readdirSync(`${folder}/types`).map((name) => read(`types/${name}`));
  refuseDoubles(files);
  const bodies = files.map(({ name, text }) => `\n  // ---- ${name}\n${writeBody(name, text)}`);
  return `${head}
declare module '${moduleNames.main}' {
${writeImports(files)}${errors}${bodies.join('')}
${writeExports(files, readFileSync(`${folder}/entry.d.cts`, 'utf8'))}}

declare module '${moduleNames.deep}' {
  export type { ${deepNames.join(', ')} } from 'fastify';
}
`;
}

/** What a file imports from other packages, and declares. */
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

function refuseDoubles(files) {
  const seen = new Map();
  for (const { name, names } of files) {
    for (const each of names) {
      if (seen.has(each)) throw new Error(`${name} and ${seen.get(each)} both declare \`${each}\``);
      seen.set(each, name);
    }
  }
}

function writeImports(files) {
  const lines = files
    .flatMap(({ imported }) => imported)
    .filter(({ from }) => from !== errorsOf)
    .map(({ from, clause }) => `  import type ${clause} from '${from}';\n`);
  const own = [
    "  import type * as augmented from 'fastify';\n",
    `  import type { ${classes.join(', ')} } from 'ambit';\n`,
  ];
  return [...new Set([...own, ...lines])].join('');
}

/** What the facade exports besides: names of other packages, and other names of its own. Without an export everything would be exported. */
function writeExports(files, entry) {
  const all = files.flatMap((file) => file.imported).filter(({ from }) => from !== errorsOf);
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

/** The text without its imports and its classes, and with what plugins add to read from `fastify`. */
function writeBody(name, text) {
  const program = parse(name, text);
  const edits = [];
  const drop = ({ start, end }) => edits.push({ start, end, by: '' });
  new Visitor({
    ImportDeclaration: drop,
    // `export type { A } from 'pino'` says again what is imported.
    ExportNamedDeclaration: (node) =>
      node.declaration
        ? edits.push({ start: node.start, end: node.declaration.start, by: 'export ' })
        : edits.push({ start: node.start, end: node.end, by: text.slice(node.start, node.end) }),
    TSTypeReference: ({ typeName }) =>
      typeName.type === 'Identifier' &&
      addedTo.has(typeName.name) &&
      edits.push({ start: typeName.start, end: typeName.start, by: 'augmented.' }),
  }).visit(program);
  for (const node of program.body) {
    const declared = node.declaration ?? node;
    if (declared.type === 'ClassDeclaration') edits.push({ start: node.start, end: node.end, by: '' });
    else if (declared.declare)
      edits.push({ start: declared.start, end: declared.start + 'declare '.length, by: '' });
  }
  return applyEdits(text, edits);
}

function applyEdits(text, edits) {
  let written = '';
  let at = 0;
  for (const { start, end, by } of edits.sort((a, b) => a.start - b.start || b.end - a.end)) {
    // Within what is left out.
    if (start < at) continue;
    written += text.slice(at, start) + by;
    at = end;
  }
  return written + text.slice(at);
}

/** @throws when the text does not parse */
function parse(name, text) {
  const { program, errors: faults } = parseSync(name, text);
  if (faults.length > 0) throw new Error(`${name}: ${faults[0].message}`);
  return program;
}
