/**
 * Checks that a document is a schema, and that its references have targets. Readers check their own input again, because a `$ref` may lead
 * to what is not checked here as a schema.
 */
import { type Dialect, dialectOf } from './dialect.ts';
import { type KeywordRule, keywords, parsePattern } from './keywords.ts';
import { joinPointer } from './pointer.ts';
import { type Part, type Registry, references } from './references.ts';
import { isSchemaObject, SchemaError, type SchemaObject, type SharedSchemas } from './schema.ts';
import { subschemasOf } from './walk.ts';

/** How many levels deep a schema may be nested, directly or by references, because reading and generating use the stack. */
export const maxDepth = 500;
/** What is wrong with a schema that is nested deeper. */
export const tooDeep: string = `schemas must not be nested more than ${maxDepth} levels deep`;

// The shared documents that are already checked, with their dialect. The key is the object with all of them, which many
// compilations share.
const checked = new WeakMap<SharedSchemas, WeakMap<SchemaObject, Dialect>>();
// Checked schemas without any reference, also inside, with the dialect in which they were read.
const referenceFree = new WeakMap<SchemaObject, Dialect>();
const withUnknownKeywords = new WeakSet<object>();

/** Whether a checked document has a keyword that its dialect does not define. @param document The document. */
export function hasUnknownKeyword(document: object): boolean {
  return withUnknownKeywords.has(document);
}

/**
 * Checks a document, with all schemas in it.
 *
 * @param document The document.
 * @param dialect The dialect of the schema around the document.
 * @param name The name of the document in messages; empty for the root.
 * @throws {SchemaError} at the first keyword with an invalid value.
 */
export function checkDocument(document: SchemaObject, dialect: Dialect, name: string): void {
  const check = new DocumentCheck(dialect, name);
  check.visit(document);
  if (check.hasUnknownKeyword) withUnknownKeywords.add(document);
  // Most documents contain no reference. Then the rest is skipped.
  if (check.references === 0) referenceFree.set(document, dialectOf(document, dialect));
  else for (const [schema, own] of check.referenceFree) referenceFree.set(schema, own);
}

/**
 * Checks a shared document once, not in every compilation that uses it.
 *
 * @param documents All shared documents.
 * @param document One of them.
 * @param dialect The dialect of documents that declare none.
 * @param name The name of the document in messages.
 */
export function checkShared(
  documents: SharedSchemas,
  document: SchemaObject,
  dialect: Dialect,
  name: string,
): void {
  const checkedDocuments = checked.get(documents) ?? new WeakMap<SchemaObject, Dialect>();
  if (checkedDocuments.get(document) === dialect) return;
  checked.set(documents, checkedDocuments);
  checkDocument(document, dialect, name);
  checkedDocuments.set(document, dialect);
}

class DocumentCheck {
  readonly #name: string;
  readonly #seen = new Set<SchemaObject>();
  readonly #path: (string | number)[] = [];
  #depth = 0;
  #dialect: Dialect;
  references = 0;
  hasUnknownKeyword = false;
  readonly referenceFree = new Map<SchemaObject, Dialect>();

  constructor(dialect: Dialect, name: string) {
    this.#dialect = dialect;
    this.#name = name;
  }

  visit(schema: unknown): void {
    if (typeof schema === 'boolean') return;
    if (!isSchemaObject(schema)) throw this.#fault('a schema must be an object or a boolean');
    if (this.#seen.has(schema)) {
      // A schema that is still being checked contains itself.
      if (!this.referenceFree.has(schema)) this.references++;
      return;
    }
    this.#seen.add(schema);
    referenceFree.delete(schema);
    const before = this.references;
    const outerDialect = this.#dialect;
    if (schema.$schema !== undefined) this.#dialect = dialectOf(schema, outerDialect);
    if (schema.$ref !== undefined) this.references++;
    else if (this.#dialect.name !== 'draft-07' && schema.$dynamicRef !== undefined) this.references++;
    if (++this.#depth > maxDepth) throw this.#fault(tooDeep);
    for (const name of Object.keys(schema)) {
      this.hasUnknownKeyword ||= !this.#dialect.keywords.has(name);
      if (schema[name] !== undefined) this.#visitAt(name, schema[name], this.#visitKeyword);
    }
    this.#depth--;
    if (this.references === before) this.referenceFree.set(schema, this.#dialect);
    this.#dialect = outerDialect;
  }

  #visitKeyword(value: unknown, name: string | number): void {
    const { rule, contains: kind } = this.#dialect.keywords.get(name as string) ?? {};
    if (rule !== undefined) this.#checkRule(rule, name, value);
    if (kind === 'list' || (kind === 'items' && Array.isArray(value))) this.#visitList(value, name);
    else if (kind === 'schema' || kind === 'items') this.visit(value);
    else if (kind === 'map') this.#visitMap(value, name, this.visit);
    else if (kind === 'dependencies') this.#visitMap(value, name, this.#visitDependency);
  }

  #visitList(value: unknown, name: string | number): void {
    if (!Array.isArray(value) || value.length === 0) throw this.#fault(`${name} must be a list of schemas`);
    for (let index = 0; index < value.length; index++) this.#visitAt(index, value[index], this.visit);
  }

  #visitMap(value: unknown, name: string | number, visit: Visit): void {
    if (!isSchemaObject(value)) throw this.#fault(`${name} must be an object of schemas`);
    for (const key of Object.keys(value)) {
      if (name === 'patternProperties' && parsePattern(key) === undefined) {
        this.#path.push(key);
        throw this.#fault(`"${key}" is not a regular expression`);
      }
      this.#visitAt(key, value[key], visit);
    }
  }

  #visitDependency(value: unknown, name: string | number): void {
    if (Array.isArray(value)) this.#checkRule(keywords.get('required')!.rule!, name, value);
    else this.visit(value);
  }

  #visitAt(segment: string | number, value: unknown, visit: Visit): void {
    this.#path.push(segment);
    visit.call(this, value, segment);
    this.#path.pop();
  }

  #checkRule({ expected, allows }: KeywordRule, name: string | number, value: unknown): void {
    if (!allows(value)) throw this.#fault(`${name} must be ${expected}; got ${describeValue(value)}`);
  }

  #fault(message: string): SchemaError {
    return new SchemaError(message, this.#path.reduce<string>(joinPointer, this.#name));
  }
}

function describeValue(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value) ?? String(value);
  } catch {
    text = String(value);
  }
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

type Visit = (this: DocumentCheck, value: unknown, segment: string | number) => void;

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

/** Whether a schema may contain a `$ref`, or contain itself. */
function mayRefer(schema: SchemaObject, dialect: Dialect): boolean {
  return referenceFree.get(schema) !== dialect;
}
