/** Where in the source of a call is a part of its arguments? It reads tokens, not a grammar, so that JavaScript and TypeScript are the same. */
import { dirname, resolve } from 'node:path';
import jsTokens from 'js-tokens';

/** Returns the text of a file; `undefined` if there is none. */
export type ReadFile = (path: string) => string | undefined;

/** A part of a source. Offsets are UTF-16 units in its text. */
export interface SourceRange {
  readonly file: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface Token {
  readonly type: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}
/** The tokens of a file without what has no meaning. */
interface Source {
  readonly file: string;
  readonly text: string;
  readonly tokens: readonly Token[];
}
/** Where a value stands: the index of its first token, and of the token after it. */
interface Value {
  readonly source: Source;
  readonly from: number;
  readonly to: number;
  /** The index of the name of the property that has this value. */
  readonly key?: number;
}

/** What the steps of a path lead to. */
interface Found {
  readonly range: SourceRange;
  readonly isExact: boolean;
  /** The value, if it is an object. */
  readonly object: Value | undefined;
}

const skipped = new Set([
  'WhiteSpace',
  'LineTerminatorSequence',
  'MultiLineComment',
  'SingleLineComment',
  'HashbangComment',
]);
/** How many names and files are followed to find a value. */
const mostSteps = 8;

/** The arguments of one call, in the source of a program. */
export class CallArguments {
  readonly #readFile: ReadFile;
  readonly #arguments: readonly Value[];

  private constructor(readFile: ReadFile, args: readonly Value[]) {
    this.#readFile = readFile;
    this.#arguments = args;
  }

  /** @returns `undefined` if there is no call at this place. @param line Counted from 1. @param column Counted from 1. */
  static at(file: string, line: number, column: number, readFile: ReadFile): CallArguments | undefined {
    const source = readSource(file, readFile);
    if (source === undefined) return undefined;
    const offset = offsetOf(source.text, line) + column - 1;
    const callee = source.tokens.findIndex(({ start, end }) => start <= offset && offset < end);
    // Type arguments may stand between the name and its arguments.
    let open = callee === -1 ? -1 : callee + (source.tokens[callee]!.value === 'new' ? 2 : 1);
    if (source.tokens[open]?.value === '<') open = afterTypeArguments(source, open);
    if (source.tokens[open]?.value !== '(') return undefined;
    return new CallArguments(readFile, itemsOf(source, open));
  }

  /**
   * Finds the value that the steps lead to, from an argument that has the first one. It follows names of constants, also into other files.
   *
   * @returns The value, or the deepest one on the way to it.
   */
  find(steps: readonly string[]): Found | undefined {
    for (const argument of this.#arguments) {
      const { value, depth } = this.#follow(argument, steps);
      if (depth === 0) continue;
      const inner = this.#resolve(value);
      const object = inner.source.tokens[inner.from]?.value === '{' ? inner : undefined;
      return { range: rangeOf(value), isExact: depth === steps.length, object };
    }
    return undefined;
  }

  /** Finds the only property, or else the only text, of this name in the arguments, or within a part of them. */
  findName(name: string, within?: Value): SourceRange | undefined {
    const values = within === undefined ? this.#arguments : [within];
    const keys: SourceRange[] = [];
    const texts: SourceRange[] = [];
    for (const { source, from, to } of values) {
      for (let i = from; i < to; i++) {
        const token = source.tokens[i]!;
        if (nameOf(token) !== name) continue;
        const { start, end } = token;
        const range = { file: source.file, text: source.text, start, end };
        const next = source.tokens[i + 1]?.value;
        if (next === ':' || (next === '(' && token.type === 'IdentifierName')) keys.push(range);
        else if (token.type === 'StringLiteral') texts.push(range);
      }
    }
    const [found, ...others] = keys.length > 0 ? keys : texts;
    return others.length === 0 ? found : undefined;
  }

  #follow(start: Value, steps: readonly string[]): { readonly value: Value; readonly depth: number } {
    let value = this.#resolve(start);
    let depth = 0;
    for (const step of steps) {
      const next = this.#member(value, step);
      // The short form of a schema does without this keyword.
      if (next === undefined && step !== 'properties') break;
      depth++;
      if (next !== undefined) value = depth === steps.length ? next : this.#resolve(next);
    }
    return { value, depth };
  }

  #member(value: Value, name: string): Value | undefined {
    const { source, from } = value;
    const opening = source.tokens[from]?.value;
    if (opening === '[') return itemsOf(source, from)[Number(name)];
    if (opening !== '{') return undefined;
    for (const item of itemsOf(source, from).reverse()) {
      const first = source.tokens[item.from]!;
      if (first.value === '...') {
        const inner = this.#member(this.#resolve({ source, from: item.from + 1, to: item.to }), name);
        if (inner !== undefined) return inner;
      } else if (nameOf(first) === name) {
        const hasColon = source.tokens[item.from + 1]?.value === ':';
        return { source, from: item.from + (hasColon ? 2 : 0), to: item.to, key: item.from };
      }
    }
    return undefined;
  }

  /** Follows names and parentheses to the value behind them. */
  #resolve(start: Value): Value {
    let value = start;
    for (let step = 0; step < mostSteps; step++) {
      const { source, from, to } = value;
      const token = source.tokens[from];
      if (token?.value === '(') value = { ...value, from: from + 1 };
      else if (token?.type === 'IdentifierName') {
        const isAlone = from + 1 >= to || ['as', 'satisfies'].includes(source.tokens[from + 1]!.value);
        const member = source.tokens[from + 1]?.value === '.' ? source.tokens[from + 2]?.value : undefined;
        const declared =
          isAlone || member !== undefined ? this.#declarationOf(source, token.value) : undefined;
        const next = declared && (member === undefined ? declared : this.#member(declared, member));
        if (next === undefined) return value;
        value = next;
      } else return value;
    }
    return value;
  }

  #declarationOf(source: Source, name: string, step = 0): Value | undefined {
    const { tokens } = source;
    for (let i = 0; i < tokens.length - 2; i++) {
      if (tokens[i + 1]!.value !== name || !['const', 'let', 'var'].includes(tokens[i]!.value)) continue;
      // A type may stand between the name and the value.
      const equals = tokens.findIndex(({ value }, at) => at > i && value === '=');
      return equals === -1 ? undefined : { source, from: equals + 1, to: endOfItem(source, equals + 1) };
    }
    const imported = importOf(source, name);
    const next = imported && step < mostSteps ? readSource(imported.file, this.#readFile) : undefined;
    return next && this.#declarationOf(next, imported!.name, step + 1);
  }
}

/**
 * The object and the member whose own member stands at a place: `request` and `body`, if that is the `name` of `request.body.name`.
 *
 * @param line Counted from 1.
 * @param column Counted from 1.
 * @returns An empty list if there is something else.
 */
export function nameBefore(file: string, line: number, column: number, readFile: ReadFile): string[] {
  const source = readSource(file, readFile);
  if (source === undefined) return [];
  const { tokens, text } = source;
  const offset = offsetOf(text, line) + column - 1;
  const at = tokens.findIndex(({ start, end }) => start <= offset && offset < end);
  const [object, dot, member, nextDot] = tokens.slice(Math.max(0, at - 4), Math.max(0, at));
  const isMember = object?.type === 'IdentifierName' && dot?.value === '.' && nextDot?.value === '.';
  return isMember && member?.type === 'IdentifierName' ? [object.value, member.value] : [];
}

/** The file and the name there of something that is imported by `import { name as here } from './file.js'`. */
function importOf({ file, tokens }: Source, name: string): { file: string; name: string } | undefined {
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i]!.value !== 'import' || tokens[i + 1]?.value !== '{') continue;
    const end = tokens.findIndex(({ value }, at) => at > i && value === '}');
    const here = tokens.findIndex(
      ({ value }, at) => at > i && at < end && value === name && [',', '}'].includes(tokens[at + 1]!.value),
    );
    const target = nameOf(tokens[end + 2]);
    if (here === -1 || !target?.startsWith('.')) continue;
    const original = tokens[here - 1]!.value === 'as' ? tokens[here - 2]!.value : name;
    return { file: resolve(dirname(file), target), name: original };
  }
  return undefined;
}

const sources = new WeakMap<ReadFile, Map<string, Source | undefined>>();

function readSource(file: string, readFile: ReadFile): Source | undefined {
  const known = sources.get(readFile) ?? new Map<string, Source | undefined>();
  sources.set(readFile, known);
  if (!known.has(file)) {
    // TypeScript may name the file of an import as the compiled one.
    const path = readFile(file) === undefined ? file.replace(/js$/, 'ts') : file;
    const text = readFile(path);
    known.set(file, text === undefined ? undefined : { file: path, text, tokens: tokenize(text) });
  }
  return known.get(file);
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let start = 0;
  for (const { type, value } of jsTokens(text)) {
    const end = start + value.length;
    if (!skipped.has(type)) tokens.push({ type, value, start, end });
    start = end;
  }
  return tokens;
}

/** The items between the bracket at an index and the one that closes it. */
function itemsOf(source: Source, open: number): Value[] {
  const items: Value[] = [];
  let from = open + 1;
  while (from < source.tokens.length) {
    const to = endOfItem(source, from);
    if (to > from) items.push({ source, from, to });
    if (source.tokens[to]?.value !== ',') break;
    from = to + 1;
  }
  return items;
}

/** The index of the comma, semicolon or closing bracket after the item that begins at an index. */
function endOfItem({ tokens }: Source, from: number): number {
  let depth = 0;
  for (let i = from; i < tokens.length; i++) {
    const { type, value } = tokens[i]!;
    if (type === 'TemplateHead' || (type === 'Punctuator' && '([{'.includes(value))) depth++;
    else if (type === 'TemplateTail') depth--;
    else if (type === 'Punctuator' && ')]}'.includes(value)) {
      if (depth === 0) return i;
      depth--;
    } else if (depth === 0 && (value === ',' || value === ';')) return i;
  }
  return tokens.length;
}

function afterTypeArguments({ tokens }: Source, open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    const { value } = tokens[i]!;
    if (value === '<') depth++;
    else if (/^>+$/.test(value)) depth -= value.length;
    if (depth === 0) return i + 1;
  }
  return -1;
}

/** The name or the text that a token stands for. */
function nameOf(token: Token | undefined): string | undefined {
  if (token === undefined) return undefined;
  if (token.type === 'IdentifierName' || token.type === 'NumericLiteral') return token.value;
  return token.type === 'StringLiteral' ? token.value.slice(1, -1) : undefined;
}

/** The range of a value; of its name, if the value has several lines or is no single word. */
function rangeOf({ source, from, to, key }: Value): SourceRange {
  const { file, text, tokens } = source;
  const [start, end] = [tokens[from]!.start, tokens[Math.max(from, to - 1)]!.end];
  const isLong = text.slice(start, end).includes('\n') || '{[('.includes(text[start]!);
  const shown = isLong && key !== undefined ? tokens[key]! : undefined;
  return { file, text, start: shown?.start ?? start, end: shown?.end ?? end };
}

/** @param line Counted from 1. */
function offsetOf(text: string, line: number): number {
  let offset = 0;
  for (let i = 1; i < line; i++) offset = text.indexOf('\n', offset) + 1;
  return offset;
}
