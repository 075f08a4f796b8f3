/** Puts shared schemas in the place of the references to them, so that a schema reads as a whole. It works on copies that are plain JSON. */

type Json = Record<string, unknown>;
type Shared = Readonly<Record<string, unknown>>;

/** The most values of a schema with everything inside: behind them, references stay as they are. */
const maxValues = 20_000;
/** Their values are no schemas, even if they look like one. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'example']);

/** Their values are schemas by names of the application's own. */
const mapKeywords: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'definitions',
  '$defs',
  'dependentSchemas',
  'dependencies',
]);

/** A schema that references are relative to. */
interface Document {
  readonly root: unknown;
  /** Its `$id`, or that of the shared schema that it is. */
  readonly id: string;
}

/**
 * @param schema A copy of the schema.
 * @param shared Copies of the shared schemas, by `$id`.
 * @param keepsSiblings Whether keywords next to `$ref` apply (2019-09 and later), or are ignored (draft-07).
 * @returns The schema without references, except those that would lead into themselves: these point to the place in the result, as
 *   `#/properties/child`. A reference that leads nowhere stays as it is. A `$comment` names the shared schema.
 */
export function inlineReferences(schema: unknown, shared: Shared, keepsSiblings: boolean): unknown {
  return new Inliner(shared, keepsSiblings).start(schema);
}

class Inliner {
  readonly #shared: Shared;
  readonly #keepsSiblings: boolean;
  /** What is being written, with the place of each in the result. */
  readonly #open = new Map<object, string>();
  #count = 0;

  constructor(shared: Shared, keepsSiblings: boolean) {
    this.#shared = shared;
    this.#keepsSiblings = keepsSiblings;
  }

  start(schema: unknown): unknown {
    const id = isObject(schema) && typeof schema.$id === 'string' ? schema.$id : '';
    return this.#write(schema, { root: schema, id }, '#');
  }

  #write(value: unknown, document: Document, place: string, isMap = false): unknown {
    this.#count++;
    if (Array.isArray(value)) return value.map((item, i) => this.#write(item, document, `${place}/${i}`));
    if (!isObject(value)) return value;
    this.#open.set(value, place);
    const written =
      typeof value.$ref === 'string' && this.#count < maxValues
        ? this.#writeReference(value, value.$ref, document, place)
        : this.#writeMembers(value, document, place, isMap);
    this.#open.delete(value);
    return written;
  }

  #writeMembers(value: Json, document: Document, place: string, isMap = false): Json {
    const write = (key: string, member: unknown): unknown => {
      if (dataKeywords.has(key) && !isMap) return member;
      const escaped = key.replaceAll('~', '~0').replaceAll('/', '~1');
      return this.#write(member, document, `${place}/${escaped}`, mapKeywords.has(key) && !isMap);
    };
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, write(key, member)]));
  }

  #writeReference(value: Json, $ref: string, document: Document, place: string): unknown {
    const found = this.#find($ref, document);
    if (found === undefined) return this.#writeMembers(value, document, place);
    const { $ref: _, ...siblings } = value;
    const hasSiblings = this.#keepsSiblings && Object.keys(siblings).length > 0;
    const target = this.#writeTarget(found, hasSiblings ? `${place}/allOf/0` : place);
    return hasSiblings ? { ...this.#writeMembers(siblings, document, place), allOf: [target] } : target;
  }

  #writeTarget({ target, document, name }: Found, place: string): unknown {
    const known = isObject(target) ? this.#open.get(target) : undefined;
    if (known !== undefined) return { $ref: known };
    const written = this.#write(target, document, place);
    if (!isObject(written) || name === undefined) return written;
    // An `$id` would be the base of the references to places in the result.
    const { $id: _, ...rest } = written;
    return { $comment: `shared schema ${name}`, ...rest };
  }

  #find($ref: string, document: Document): Found | undefined {
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
      const known = [name, `${name}#`].find((key) => Object.hasOwn(this.#shared, key));
      if (known !== undefined) return { root: this.#shared[known], id: known };
    }
    return undefined;
  }
}

interface Found {
  readonly target: unknown;
  readonly document: Document;
  /** The shared schema that it is, as a whole. */
  readonly name: string | undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON Pointer in a fragment (RFC 6901, section 6). */
function atPointer(root: unknown, fragment: string): unknown {
  let at: unknown = root;
  for (const part of fragment.slice(1).split('/')) {
    const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Json)[key];
  }
  return at;
}

/** The subschema with an `$anchor`, or the older `$id` with a fragment; the whole for an empty one. */
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
