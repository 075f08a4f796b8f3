/** Checks that every `$ref` has a target, and that no schema refers to itself without a value in between. */
import { maxDepth, mayRefer, tooDeep } from './check-document.ts';
import { type Part, type Registry, references } from './references.ts';
import { isSchemaObject, SchemaError } from './schema.ts';
import { subschemasOf } from './walk.ts';

/**
 * Checks all of a document, and everything that it refers to.
 *
 * @param registry The registry of the document.
 * @param root The part of the document.
 * @throws {SchemaError} at the first `$ref` that is invalid, or that leads back to itself.
 */
export function checkReferences(registry: Registry, root: Part): void {
  if (!mayRefer(root.schema, root.base.dialect)) return;
  const open = new Set<Part>();
  // The set of parts grows while the loop runs.
  const starts = new Set([root]);

  function visit(part: Part): void {
    if (open.has(part)) {
      const chain = [...open];
      const loop = [...chain.slice(chain.indexOf(part)), part].map(({ pointer }) =>
        /^(?:\/|$)/.test(pointer) ? `#${pointer}` : pointer,
      );
      const problem = `a schema refers to itself without a value in between: ${loop.join(' -> ')}`;
      throw new SchemaError(problem, part.pointer);
    }
    const checked = (registry.isShared(part) ? registry.shared : registry)!.referencesChecked;
    if (checked.has(part)) return;
    if (open.size === maxDepth) throw new SchemaError(tooDeep, part.pointer);
    open.add(part);
    for (const name of references(part)) {
      const target = registry.resolve(part, name);
      if (typeof target !== 'boolean') visit(target);
    }
    const { dialect } = part.base;
    for (const { schema, keyword, name } of subschemasOf(part.schema)) {
      const known = dialect.keywords.get(keyword);
      if (known === undefined || !isSchemaObject(schema) || !mayRefer(schema, dialect)) continue;
      const child = registry.child(part, schema, ...(name === undefined ? [keyword] : [keyword, name]));
      if (known.appliesTo === 'same') visit(child);
      else starts.add(child);
    }
    open.delete(part);
    checked.add(part);
  }
  for (const part of starts) visit(part);
}
