/** Creates readable and unique names of operations: `GET /users/{id}/posts` is `getUsersByIdPosts`. */

export class OperationIds {
  readonly #taken: Set<string>;

  /** @param given The names that routes declare. Created names must differ from them. */
  constructor(given: Iterable<string>) {
    this.#taken = new Set(given);
  }

  readonly #used = new Set<string>();

  /** The name that a route declares, with a number if an earlier operation has used it. */
  take(given: string): string {
    return this.#used.has(given) ? this.#free(given) : this.#use(given);
  }

  make(method: string, path: string): string {
    return this.#free(method.toLowerCase() + wordsOf(path));
  }

  #free(name: string): string {
    let free = name;
    for (let count = 2; this.#taken.has(free) || this.#used.has(free); count++) free = `${name}_${count}`;
    return this.#use(free);
  }

  #use(name: string): string {
    this.#used.add(name);
    return name;
  }
}

/** A cache, because many paths consist of a few segments. */
const known = new Map<string, string>();

function wordsOf(path: string): string {
  if (path === '/') return 'Root';
  let words = '';
  for (let from = 1; from <= path.length; ) {
    const slash = path.indexOf('/', from);
    const end = slash === -1 ? path.length : slash;
    const segment = path.slice(from, end);
    let word = known.get(segment);
    if (word === undefined) {
      word = wordOf(segment);
      if (known.size < 1_000) known.set(segment, word);
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

/** Between the words of `getUsersById`, `getAById` and `get_users`. */
const betweenWords = /[^\p{L}\p{N}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** A name as a heading: `getUsersById` is "Get users by id". */
export function inWords(operationId: string): string {
  const text = operationId
    .split(betweenWords)
    .filter((word) => word !== '')
    .join(' ')
    .toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
