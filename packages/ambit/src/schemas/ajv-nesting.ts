/**
 * Limits how deeply the code that Ajv generates is nested. Ajv opens a block for each property and each branch, inside the previous one. V8
 * recurses into each block when it compiles the function, at the first call. Without a limit, a request could overflow the stack.
 */
import { _, type Ajv, type KeywordCxt } from 'ajv';
import { SchemaTooLarge } from '../types/errors.ts';
import { replaceCode } from './ajv-keywords.ts';
import { keywordsWithOk, segmentSize, trackedKeywords } from './schema-precheck.ts';

/** V8 overflows the stack from about 1,400 blocks on, or fewer if much of the stack is in use. */
const maxBlocks = 1_000;
/** Shorter code cannot be nested that deeply, because each block takes at least 16 characters. */
const minDeepCodeLength = 16 * maxBlocks;

/** Makes an Ajv close its blocks after each segment of a list, so that long lists do not overflow the stack. */
export function writeInSegments(engine: Ajv): void {
  for (const keyword of keywordsWithOk) {
    replaceLongCode(engine, keyword, writeSegments);
  }
  replaceLongCode(engine, 'anyOf', (context, write) => {
    // If a branch accepts anything, Ajv writes no code.
    if (context.schema.some((branch: unknown) => acceptsAnything(branch, engine))) write();
    else writeUnion(context);
  });
}

/** Replaces the code for long lists of a keyword. */
function replaceLongCode(
  engine: Ajv,
  keyword: string,
  writeLong: (context: KeywordCxt, write: () => void) => void,
): void {
  replaceCode(engine, keyword, (context, write) => {
    const isLong = countEntries(keyword, context.schema) > segmentSize;
    // With `allErrors` nothing is nested.
    const isTracked = context.it.opts.unevaluated === true && trackedKeywords.includes(keyword);
    const needsOwnCode = context.allErrors || isTracked;
    if (isLong && !needsOwnCode) writeLong(context, write);
    else write();
  });
}

/** `items` may be a single schema instead of a list. */
function countEntries(keyword: string, schema: unknown): number {
  if (Array.isArray(schema)) return schema.length;
  return keyword === 'properties' ? Object.keys(Object(schema)).length : 0;
}

/** Closes the blocks after each segment. All entries pass the same variable to `ok`, which stays false after an entry has failed. */
function writeSegments(context: KeywordCxt, write: () => void): void {
  const { gen } = context;
  const ok = context.ok.bind(context);
  let entries = 0;
  let last: Parameters<typeof ok>[0] | undefined;
  gen.block();
  context.ok = (condition) => {
    const isFull = ++entries % segmentSize === 0;
    if (isFull) gen.endBlock();
    ok(condition);
    if (isFull) gen.block();
    last = condition;
  };
  write();
  gen.endBlock();
  context.ok = ok;
  if (last !== undefined) ok(last);
}

function acceptsAnything(branch: unknown, engine: Ajv): boolean {
  if (typeof branch !== 'object' || branch === null) return branch === true;
  return Object.keys(branch).every((keyword) => !engine.RULES.all[keyword]);
}

/** Writes the same code for `anyOf` as Ajv, but with a block for each segment. */
function writeUnion(context: KeywordCxt): void {
  const { gen, keyword } = context;
  const branches = context.schema as readonly unknown[];
  const valid = gen.let('valid', false);
  const isBranchValid = gen.name('_valid');
  gen.block(() => {
    for (let from = 0; from < branches.length; from += segmentSize) {
      gen.if(_`!${valid}`);
      gen.block(() => {
        for (let at = from; at < Math.min(from + segmentSize, branches.length); at++) {
          context.subschema({ keyword, schemaProp: at, compositeRule: true }, isBranchValid);
          gen.assign(valid, _`${valid} || ${isBranchValid}`);
          gen.if(_`!${valid}`);
        }
      });
    }
  });
  context.result(
    valid,
    () => context.reset(),
    () => context.error(true),
  );
}

/** @throws {SchemaTooLarge} if V8 could overflow the stack while it compiles the code. */
export function checkNesting(code: string): string {
  if (code.length < minDeepCodeLength) return code;
  let blocks = 0;
  for (let at = 0; at < code.length; at++) {
    const character = code[at];
    if (character === '"') at = endOfText(code, at);
    else if (character === '}') blocks--;
    else if (character === '{' && ++blocks > maxBlocks) throw new SchemaTooLarge();
  }
  return code;
}

/** Returns the position of the quote that ends a string. */
function endOfText(code: string, start: number): number {
  for (let at = start + 1; at < code.length; at++) {
    if (code[at] === '\\') at++;
    else if (code[at] === '"') return at;
  }
  return code.length;
}
