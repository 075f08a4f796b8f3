/** Creates readable and unique names of operations: `GET /users/{id}/posts` is `getUsersByIdPosts`. */

export class OperationIds {
  readonly #declared: Set<string>;

  /** @param declaredIds The names that routes declare. Created names must differ from them. */
  constructor(declaredIds: Iterable<string>) {
    this.#declared = new Set(declaredIds);
  }

  readonly #used = new Set<string>();

  /** The name that a route declares, with a number if an earlier operation has used it. */
  use(declaredId: string): string {
    return this.#used.has(declaredId) ? this.#makeUnique(declaredId) : this.#reserve(declaredId);
  }

  /** A name for an operation that declares none. */
  create(method: string, path: string): string {
    return this.#makeUnique(method.toLowerCase() + wordsOf(path));
  }

  #makeUnique(name: string): string {
    let unique = name;
    for (let count = 2; this.#declared.has(unique) || this.#used.has(unique); count++)
      unique = `${name}_${count}`;
    return this.#reserve(unique);
  }

  #reserve(name: string): string {
    this.#used.add(name);
    return name;
  }
}

/** A cache, because many paths consist of a few segments. */
const wordCache = new Map<string, string>();

function wordsOf(path: string): string {
  if (path === '/') return 'Root';
  let words = '';
  for (let from = 1; from <= path.length; ) {
    const slash = path.indexOf('/', from);
    const end = slash === -1 ? path.length : slash;
    const segment = path.slice(from, end);
    let word = wordCache.get(segment);
    if (word === undefined) {
      word = wordOf(segment);
      if (wordCache.size < 1_000) wordCache.set(segment, word);
    }
    words += word;
    from = end + 1;
  }
  return words;
}

function wordOf(segment: string): string {
  const words = segment.split(/%7[BD]|[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return segment.startsWith('{') ? `By${joined}` : joined;
}

/** Matches between the words of `getUsersById`, `getAById` and `get_users`. */
const betweenWords = /[^\p{L}\p{N}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** A name as a heading: `getUsersById` is "Get users by id". */
export function toHeading(operationId: string): string {
  const text = operationId
    .split(betweenWords)
    .filter((word) => word !== '')
    .join(' ')
    .toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
