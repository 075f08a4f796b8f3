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

const { FUZZ_SECONDS, FUZZ_COUNT, FUZZ_SEED = '1', FUZZ_TARGETS = '', FUZZ_REPORT } = process.env;
const corpusFolder = fileURLToPath(new URL('../corpus/', import.meta.url));
const isFuzzing = FUZZ_REPORT !== undefined;
/** So many are tried with one seed. */
const batch = 1_000;
/** A target that holds so much more after its second half of inputs than after the first leaks. */
const leakBytes = 128 * 1_048_576;

/** Longer than any target has in a run. */
export const fuzzTimeoutMs: number = isFuzzing ? 24 * 3_600_000 : 600_000;

interface FuzzOptions<Input> {
  readonly inputs: fc.Arbitrary<Input>;
  /** Throws if something does not hold. May return how many inputs it has tried, such as the values for one schema; else it is one. */
  readonly check: (input: Input) => Tried | Promise<Tried>;
  /** How many inputs `npm test` tries. */
  readonly runs: number;
  /** What part of its target's time this test gets: 0.25 if four tests make a target. Default: 1. */
  readonly share?: number;
}

type Tried = number | void;

/**
 * Tries the inputs of the corpus, and then random ones. The smallest input that fails is written into the corpus by `npm run fuzz`.
 *
 * @param target The name under which `npm run fuzz` reports it, and of its folder in the corpus.
 */
export async function fuzz<Input>(target: string, options: FuzzOptions<Input>): Promise<void> {
  for (const input of readCorpus<Input>(target)) await options.check(input);
  if (!isFuzzing) {
    const property = fc.asyncProperty(options.inputs, async (input) => void (await options.check(input)));
    await fc.assert(property, { numRuns: options.runs });
  } else if (FUZZ_TARGETS.split(',').includes(target)) {
    await fuzzLong(target, options);
  }
}

function readCorpus<Input>(target: string): Input[] {
  const folder = `${corpusFolder}${target}`;
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).sort();
  return files.map((file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')).input);
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

  get remainingInputs(): number {
    return Math.ceil(this.#limit - this.tried);
  }

  get remainingMs(): number {
    return Math.max(1, this.#limitMs - this.seconds * 1_000);
  }

  /** What part of it is spent: 1 or more at the end. */
  get spent(): number {
    return Math.max(this.tried / this.#limit, (this.seconds * 1_000) / this.#limitMs);
  }
}

async function fuzzLong<Input>(
  target: string,
  { inputs, check, share = 1 }: FuzzOptions<Input>,
): Promise<void> {
  const budget = new Budget(share);
  const property = fc.asyncProperty(inputs, async (input) => {
    budget.tried += (await check(input)) ?? 1;
    // `inject` may settle in microtasks alone: what weak references point to is kept until the turn ends.
    await nextTurn();
  });
  let halfwayBytes: number | undefined;
  let failure: Error | undefined;
  for (let round = 0; failure === undefined && budget.spent < 1; round++) {
    const details = await fc.check(property, {
      seed: Number(FUZZ_SEED) + round,
      numRuns: Math.min(batch, budget.remainingInputs),
      ...(Number.isFinite(budget.remainingMs) && { interruptAfterTimeLimit: budget.remainingMs }),
    });
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

/** Keeps the smallest input that failed. Returns what to report. */
function save<Input>(target: string, details: fc.RunDetails<[Input]>): Error {
  const [input] = details.counterexample!;
  const message = String((details.errorInstance as Error | undefined)?.message ?? details.errorInstance);
  const text = `${JSON.stringify({ seed: details.seed, message, input }, null, 2)}\n`;
  const name = createHash('sha256').update(JSON.stringify(input)).digest('hex').slice(0, 12);
  mkdirSync(`${corpusFolder}${target}`, { recursive: true });
  writeFileSync(`${corpusFolder}${target}/${name}.json`, text);
  return new Error(`${target} fails with ${JSON.stringify(input)}: ${message}`, {
    cause: details.errorInstance,
  });
}

let collect: (() => void) | undefined;

function measureHeap(): number {
  setFlagsFromString('--expose-gc');
  collect ??= runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
