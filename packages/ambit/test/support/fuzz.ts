/**
 * Fuzz targets: what must hold for every input, tried with random ones. In `npm test` they get some hundred inputs of a fixed seed, and all
 * inputs of the corpus; `npm run fuzz` gives them time (`FUZZ_SECONDS` for each target) or a number (`FUZZ_COUNT`), and the seed.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect } from 'vitest';

const { FUZZ_SECONDS, FUZZ_COUNT, FUZZ_SEED = '1', FUZZ_TARGETS = '', FUZZ_REPORT } = process.env;
const corpusFolder = fileURLToPath(new URL('../corpus/', import.meta.url));
const isFuzzing = FUZZ_REPORT !== undefined;
/** So many lists are tried before the budget is looked at. */
const listsOfRound = 10;
/** A target that holds so much more after its second half of inputs than after the first leaks. */
const leakBytes = 128 * 1_048_576;

/** Longer than any target has in a run. */
export const fuzzTimeoutMs: number = isFuzzing ? 24 * 3_600_000 : 600_000;

interface FuzzOptions<Input> {
  readonly inputs: fc.Arbitrary<Input>;
  /**
   * Throws if something does not hold for one of the inputs. May return how many it has tried, such as all values for the schemas; else
   * they are as many as the list has.
   */
  readonly check: (list: readonly Input[]) => Tried | Promise<Tried>;
  /** The longest list: many requests on one connection cost less than one on each. */
  readonly listLength: number;
  /** How many lists `npm test` tries. */
  readonly runs: number;
  /** What part of its target's time this test gets: 0.25 if four tests make a target. Default: 1. */
  readonly share?: number;
}

type Tried = number | void;

/**
 * Tries the inputs of the corpus, and then random ones. The smallest list that fails is written into the corpus by `npm run fuzz`.
 *
 * @param target The name under which `npm run fuzz` reports it, and of its folder in the corpus.
 */
export async function fuzz<Input>(target: string, options: FuzzOptions<Input>): Promise<void> {
  for (const list of readCorpus<Input>(target)) await options.check(list);
  if (!isFuzzing) {
    const property = fc.asyncProperty(listsOf(options), async (list) => void (await options.check(list)));
    await fc.assert(property, { numRuns: options.runs });
  } else if (FUZZ_TARGETS.split(',').includes(target)) {
    await fuzzLong(target, options);
  }
}

function listsOf<Input>({ inputs, listLength }: FuzzOptions<Input>): fc.Arbitrary<Input[]> {
  return fc.array(inputs, { minLength: 1, maxLength: listLength, size: 'max' });
}

function readCorpus<Input>(target: string): Input[][] {
  const folder = `${corpusFolder}${target}`;
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).sort();
  return files.map((file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')).inputs);
}

/** Stops at a number of inputs, or at a time. */
class Budget {
  readonly #startMs = performance.now();
  readonly #limit: number;
  readonly #limitMs: number;
  tried = 0;

  constructor(share: number) {
    this.#limit = Number(FUZZ_COUNT ?? Number.POSITIVE_INFINITY) * share;
    this.#limitMs = Number(FUZZ_SECONDS ?? Number.POSITIVE_INFINITY) * 1_000 * share;
  }

  get seconds(): number {
    return (performance.now() - this.#startMs) / 1_000;
  }

  /** What part of it is spent: 1 or more at the end. */
  get spent(): number {
    return Math.max(this.tried / this.#limit, (this.seconds * 1_000) / this.#limitMs);
  }
}

async function fuzzLong<Input>(target: string, options: FuzzOptions<Input>): Promise<void> {
  const budget = new Budget(options.share ?? 1);
  const property = fc.asyncProperty(listsOf(options), async (list) => {
    budget.tried += (await options.check(list)) ?? list.length;
    // `inject` may settle in microtasks alone: what weak references point to is kept until the turn ends.
    await nextTurn();
  });
  let halfwayBytes: number | undefined;
  let failure: Error | undefined;
  for (let round = 0; failure === undefined && budget.spent < 1; round++) {
    const details = await fc.check(property, { seed: seedOf(round), numRuns: listsOfRound });
    if (details.counterexample !== null) failure = save(target, details);
    if (halfwayBytes === undefined && budget.spent >= 0.5) halfwayBytes = measureHeap();
  }
  const grownBytes = halfwayBytes === undefined ? 0 : measureHeap() - halfwayBytes;
  if (failure === undefined && grownBytes > leakBytes)
    failure = new Error(`${target} holds ${grownBytes} bytes more than after the first half`);
  const line = {
    target,
    inputs: budget.tried,
    seconds: budget.seconds,
    grownBytes,
    failed: failure !== undefined,
  };
  appendFileSync(FUZZ_REPORT!, `${JSON.stringify(line)}\n`);
  if (failure !== undefined) throw failure;
}

/** The seeds of two days must not have rounds in common, so a round does not simply add its number. */
function seedOf(round: number): number {
  return createHash('sha256').update(`${FUZZ_SEED} ${round}`).digest().readInt32LE();
}

/** Keeps the smallest list that failed. Returns what to report. */
function save<Input>(target: string, details: fc.RunDetails<[Input[]]>): Error {
  const [inputs] = details.counterexample!;
  const message = String((details.errorInstance as Error | undefined)?.message ?? details.errorInstance);
  const text = `${JSON.stringify({ seed: details.seed, message, inputs }, null, 2)}\n`;
  const name = createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 12);
  mkdirSync(`${corpusFolder}${target}`, { recursive: true });
  writeFileSync(`${corpusFolder}${target}/${name}.json`, text);
  return new Error(`${target} fails with ${JSON.stringify(inputs)}: ${message}`, {
    cause: details.errorInstance,
  });
}

/**
 * Fails with the first value that differs. An assertion needs seconds to print the difference of two long lists, and the search for the
 * smallest input that fails tries thousands of them.
 */
export function expectSame(found: readonly unknown[], expected: readonly unknown[]): void {
  const at = expected.findIndex((value, i) => !Object.is(found[i], value));
  expect([found.length, found[at]]).toEqual([expected.length, expected[at]]);
}

let collect: (() => void) | undefined;

function measureHeap(): number {
  setFlagsFromString('--expose-gc');
  collect ??= runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
