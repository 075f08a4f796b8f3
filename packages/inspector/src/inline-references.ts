/** Replaces references to shared schemas with these schemas, so that a schema can be read without them. The input must be plain JSON. */

type Json = Record<string, unknown>;
type Shared = Readonly<Record<string, unknown>>;

/** The maximum number of values in the result. References after this limit are not replaced. */
const maxValues = 20_000;
/** Keywords whose values are data, even if they look like schemas. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'example']);

/** Keywords whose values are schemas by name. The application chooses the names. */
const mapKeywords: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'definitions',
  '$defs',
  'dependentSchemas',
  'dependencies',
]);

/** A schema that is the base for references. */
interface Document {
  readonly root: unknown;
  /** Its `$id`, or the id of the shared schema. */
  readonly id: string;
}

/**
 * @param schema A copy of the schema.
 * @param shared Copies of the shared schemas, by `$id`.
 * @param keepsSiblings Whether keywords next to `$ref` apply (2019-09 and later), or are ignored (draft-07).
 * @returns The schema without references. A recursive reference becomes a JSON Pointer into the result, such as
 *   `#/properties/child`. A reference without a target is not changed. A `$comment` names each shared schema.
 */
export function inlineReferences(schema: unknown, shared: Shared, keepsSiblings: boolean): unknown {
  return new Inliner(shared, keepsSiblings).start(schema);
}

class Inliner {
  readonly #shared: Shared;
  readonly #keepsSiblings: boolean;
  /** The objects that are being written, with their JSON Pointers in the result. */
  readonly #pointers = new Map<object, string>();
  #count = 0;

  constructor(shared: Shared, keepsSiblings: boolean) {
    this.#shared = shared;
    this.#keepsSiblings = keepsSiblings;
  }

  start(schema: unknown): unknown {
    const id = isObject(schema) && typeof schema.$id === 'string' ? schema.$id : '';
    return this.#write(schema, { root: schema, id }, '#');
  }

  #write(value: unknown, document: Document, pointer: string, isMap = false): unknown {
    this.#count++;
    if (Array.isArray(value)) return value.map((item, i) => this.#write(item, document, `${pointer}/${i}`));
    if (!isObject(value)) return value;
    this.#pointers.set(value, pointer);
    const written =
      typeof value.$ref === 'string' && this.#count < maxValues
        ? this.#writeReference(value, value.$ref, document, pointer)
        : this.#writeMembers(value, document, pointer, isMap);
    this.#pointers.delete(value);
    return written;
  }

  #writeMembers(value: Json, document: Document, pointer: string, isMap = false): Json {
    const write = (key: string, member: unknown): unknown => {
      if (dataKeywords.has(key) && !isMap) return member;
      const escaped = key.replaceAll('~', '~0').replaceAll('/', '~1');
      return this.#write(member, document, `${pointer}/${escaped}`, mapKeywords.has(key) && !isMap);
    };
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, write(key, member)]));
  }

  #writeReference(value: Json, $ref: string, document: Document, pointer: string): unknown {
    const found = this.#find($ref, document);
    if (found === undefined) return this.#writeMembers(value, document, pointer);
    const { $ref: _, ...siblings } = value;
    const hasSiblings = this.#keepsSiblings && Object.keys(siblings).length > 0;
    const target = this.#writeTarget(found, hasSiblings ? `${pointer}/allOf/0` : pointer);
    return hasSiblings ? { ...this.#writeMembers(siblings, document, pointer), allOf: [target] } : target;
  }

  #writeTarget({ target, document, name }: ResolvedReference, pointer: string): unknown {
    const openPointer = isObject(target) ? this.#pointers.get(target) : undefined;
    if (openPointer !== undefined) return { $ref: openPointer };
    const written = this.#write(target, document, pointer);
    if (!isObject(written) || name === undefined) return written;
    // An `$id` would change the base of the references into the result.
    const { $id: _, ...rest } = written;
    return { $comment: `shared schema ${name}`, ...rest };
  }

  #find($ref: string, document: Document): ResolvedReference | undefined {
    const [uri = '', fragment = ''] = $ref.split('#', 2);
    const found = uri === '' ? document : this.#findDocument(uri, document);
    if (found === undefined) return undefined;
    const target = fragment.startsWith('/')
      ? atPointer(found.root, fragment)
      : atAnchor(found.root, fragment);
    if (target === undefined) return undefined;
    return { target, document: found, name: target === found.root && uri !== '' ? uri : undefined };
  }

  #findDocument(uri: string, { id, root }: Document): Document | undefined {
    const absolute = URL.canParse(uri, id) ? new URL(uri, id).href : uri;
    for (const name of [uri, absolute]) {
      if (name === id.replace(/#$/, '')) return { root, id };
      const sharedId = [name, `${name}#`].find((id) => Object.hasOwn(this.#shared, id));
      if (sharedId !== undefined) return { root: this.#shared[sharedId], id: sharedId };
    }
    return undefined;
  }
}

interface ResolvedReference {
  readonly target: unknown;
  readonly document: Document;
  /** The id of the shared schema, if the target is a complete shared schema. */
  readonly name: string | undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON Pointer in a fragment (RFC 6901, section 6). */
function atPointer(root: unknown, fragment: string): unknown {
  let value: unknown = root;
  for (const part of fragment.slice(1).split('/')) {
    const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Json)[key];
  }
  return value;
}

/** The subschema with an `$anchor`, or with the older `$id` that is a fragment; the root for an empty name. */
function atAnchor(root: unknown, anchor: string): unknown {
  if (anchor === '') return root;
  const queue: unknown[] = [root];
  for (let i = 0; i < queue.length && i < maxValues; i++) {
    const value = queue[i];
    if (typeof value !== 'object' || value === null) continue;
    const { $anchor, $dynamicAnchor, $id } = value as Json;
    if ($anchor === anchor || $dynamicAnchor === anchor || $id === `#${anchor}`) return value;
    queue.push(...Object.values(value));
  }
  return undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
