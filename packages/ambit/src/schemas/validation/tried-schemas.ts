/** Finds the schemas in which branches are tried that can change a value: their validators convert only where a value would be invalid. */
import type { SharedSchemas } from '../../types/compilers.ts';

/** The keywords that try schemas. */
const tryingKeywords: ReadonlySet<string> = new Set([
  'anyOf',
  'oneOf',
  'if',
  'not',
  'contains',
  'propertyNames',
]);
/** The keywords by which Ajv converts a value, adds to it or removes from it. The others belong to plugins. */
const changingKeywords: ReadonlySet<string> = new Set([
  'type',
  'additionalProperties',
  'default',
  '$ref',
  '$dynamicRef',
]);

/** Keywords that say the same of a value before and after the conversion of what it contains. */
const steadyKeywords: ReadonlySet<string> = new Set([
  'required',
  'const',
  'enum',
  'title',
  'description',
  '$comment',
  'examples',
  'deprecated',
]);

/** Whether the result of the trials may depend on a conversion. */
function dependsOnConversion(tried: unknown): boolean {
  return [tried]
    .flat()
    .some((schema) => Object.keys(Object(schema)).some((name) => !steadyKeywords.has(name)));
}

/** Whether a schema, or one inside it, may change the value. */
export function mayChange(schema: unknown): boolean {
  return someMember(schema, (name) => changingKeywords.has(name));
}

const dynamicDocuments = new WeakMap<object, boolean>();

/** Whether a document has references whose target depends on where the reference is. */
export function hasDynamicReferences(document: unknown): boolean {
  if (typeof document !== 'object' || document === null) return false;
  let result = dynamicDocuments.get(document);
  if (result === undefined) {
    result = someMember(document, (name) => name.startsWith('$dynamic'));
    dynamicDocuments.set(document, result);
  }
  return result;
}

/** What a document says, without the documents that it refers to. */
interface Findings {
  readonly tries: boolean;
  readonly hasDefault: boolean;
  /** The shared schemas that it refers to. */
  readonly references: ReadonlySet<string>;
}

/** Searches schemas, and the shared schemas that they refer to. Each shared schema is read once. */
export class TriedSchemas {
  readonly #shared: SharedSchemas;
  readonly #findings = new Map<string, Findings>();

  constructor(shared: SharedSchemas) {
    this.#shared = shared;
  }

  /** Whether branches are tried, and whether there is a default. */
  search(schema: unknown): { readonly tries: boolean; readonly hasDefault: boolean } {
    const own = this.#read(schema);
    let { tries, hasDefault } = own;
    const reached = new Set(own.references);
    // The set grows while it is read.
    for (const id of reached) {
      if (!this.#findings.has(id)) this.#findings.set(id, this.#read(this.#shared[id]));
      const findings = this.#findings.get(id)!;
      tries ||= findings.tries;
      hasDefault ||= findings.hasDefault;
      for (const other of findings.references) reached.add(other);
    }
    return { tries, hasDefault };
  }

  #read(schema: unknown): Findings {
    let tries = false;
    let hasDefault = false;
    const references = new Set<string>();
    someMember(schema, (name, value) => {
      tries ||= tryingKeywords.has(name) && dependsOnConversion(value);
      // It converts the value that the condition was asked about.
      tries ||= (name === 'then' || name === 'else') && Object.hasOwn(Object(value), 'type');
      hasDefault ||= name === 'default';
      if (name === '$ref' && typeof value === 'string') this.#addReference(value, references);
      return false;
    });
    return { tries, hasDefault, references };
  }

  /** Any other reference than the name of a shared schema may lead to each of them. */
  #addReference(reference: string, references: Set<string>): void {
    const [id] = reference.split('#', 1) as [string];
    if (Object.hasOwn(this.#shared, id)) references.add(id);
    else if (id !== '') for (const each of Object.keys(this.#shared)) references.add(each);
  }
}

/** Whether a member matches, of the value or of anything inside it. It does not call itself, because schemas can be nested deeply. */
function someMember(root: unknown, matches: (name: string, value: unknown) => boolean): boolean {
  const pending = [root];
  const visited = new Set<unknown>();
  for (let at = 0; at < pending.length; at++) {
    const value = pending[at];
    if (typeof value !== 'object' || value === null || visited.has(value)) continue;
    visited.add(value);
    for (const [name, inner] of Object.entries(value)) {
      if (!Array.isArray(value) && matches(name, inner)) return true;
      pending.push(inner);
    }
  }
  return false;
}
