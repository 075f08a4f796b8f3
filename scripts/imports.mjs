// Finds every module that a TypeScript source imports: values and types, static, dynamic and re-exported.
import { parseSync, Visitor } from 'oxc-parser';

/**
 * @returns {{ specifier: string, line: number, isType: boolean, names: string[] | undefined }[]} The imports in source
 *   order. `isType` is true if no value is imported; only import declarations have `names`.
 * @throws if the source does not parse
 */
export function findImports(path, source) {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const imports = [];
  const add = (node, isType = false, names = undefined) => {
    const specifier = readSpecifier(node);
    if (specifier !== undefined) imports.push({ specifier, start: node.start, isType, names });
  };
  new Visitor({
    ImportDeclaration: (node) =>
      add(
        node.source,
        node.importKind === 'type',
        node.specifiers.map(({ imported }) => imported?.name),
      ),
    ExportNamedDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ExportAllDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ImportExpression: (node) => add(node.source),
    TSImportType: (node) => add(node.source, true),
    TSExternalModuleReference: (node) => add(node.expression),
    TSModuleDeclaration: (node) => add(node.id),
    CallExpression: (node) => node.callee.name === 'require' && add(node.arguments[0]),
  }).visit(program);
  return imports
    .sort((a, b) => a.start - b.start)
    .map(({ start, ...imported }) => ({ ...imported, line: lineAt(source, start) }));
}

/** The text of a string, or of a template without expressions; undefined for everything else. */
function readSpecifier(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.quasis.length === 1) return node.quasis[0].value.cooked;
  return undefined;
}

export function lineAt(source, offset) {
  let line = 1;
  for (let at = source.indexOf('\n'); at !== -1 && at < offset; at = source.indexOf('\n', at + 1)) line++;
  return line;
}
