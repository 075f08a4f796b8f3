/**
 * Requests that were changed at random, to node and to the engine: what both see and answer is the same. The seed is fixed; the
 * nightly run asks for more (`FUZZ_INPUTS`, `FUZZ_SEED`).
 */
import { afterAll, expect, test } from 'vitest';
import { makePair, type Outcome, type Pair } from './support/differential.ts';
import { mutate } from './support/mutations.ts';
import { makeRandom, splitAtRandom } from './support/pieces.ts';
import { accepted } from './vectors/accepted.ts';
import { handedOver } from './vectors/handed-over.ts';

const count = Number(process.env.FUZZ_INPUTS ?? 20_000);
const seed = Number(process.env.FUZZ_SEED ?? 1);
const atATime = 50;
const texts = [...Object.values(accepted), ...Object.values(handedOver).map(([text]) => text)];
const pairs: Pair[] = [];
afterAll(() => {
  for (const { servers } of pairs) for (const server of servers) server.close();
});

/** By another way than the engine's: by the grammar of RFC 3986 as an expression. */
const validHost = /^(\[[\w:.~!$&'()*+,;=%-]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?$/;

function hasInvalidHost({ rawHeaders }: Outcome['requests'][number]): boolean {
  const hosts = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === 'host');
  return hosts.length > 1 || hosts.some((host) => !validHost.test(host));
}

/** Where node serves a request whose Host the engine refuses, both are the same up to there. */
function cutAtInvalidHost(outcome: Outcome, node: Outcome): Outcome {
  const cut = node.requests.findIndex(hasInvalidHost);
  if (cut === -1) return outcome;
  const answers = outcome.answers.split(/(?=HTTP\/1\.1 )/).slice(0, cut);
  return { answers: answers.join(''), requests: outcome.requests.slice(0, cut) };
}

/** Whether both have answers, and one has all those of the other. */
function begins(text: string, other: string): boolean {
  return text !== '' && other !== '' && (text.startsWith(other) || other.startsWith(text));
}

/**
 * The same requests, and the same answers as far as both go: where bytes that are no request come in one read with requests, node
 * closes before it has written all answers, and how many depends on who read the socket.
 */
function isSame(node: Outcome, engine: Outcome): boolean {
  const isAnswered = engine.answers === node.answers || begins(engine.answers, node.answers);
  return isAnswered && JSON.stringify(engine.requests) === JSON.stringify(node.requests);
}

/** Node answers an unknown expectation by itself, whatever its Host is; no application sees it. */
function isRefusedExpectation(node: Outcome, engine: Outcome): boolean {
  const isRefused = node.answers.includes('HTTP/1.1 417 ') && engine.answers.includes('HTTP/1.1 400 ');
  const seen = node.requests.slice(0, engine.requests.length);
  return isRefused && JSON.stringify(engine.requests) === JSON.stringify(seen);
}

async function findDifference(pair: Pair, pieces: readonly Buffer[]): Promise<object | undefined> {
  // A reset may overtake an answer: only what differs again and again is a difference.
  for (let attempt = 0; attempt < 4; attempt++) {
    const { node, engine } = await pair.compare(pieces);
    if (isSame(node, engine)) return undefined;
    if (isSame(cutAtInvalidHost(node, node), cutAtInvalidHost(engine, node))) return undefined;
    if (isRefusedExpectation(node, engine)) return undefined;
    if (attempt === 3) return { pieces: pieces.map((piece) => piece.toString('latin1')), node, engine };
  }
  return undefined;
}

for (const isRaw of [false, true]) {
  test(`${count / 2} inputs of seed ${seed} are read ${isRaw ? "with node's objects" : "with the engine's words"} as node reads them`, {
    timeout: 600_000 + count * 10,
  }, async () => {
    const random = makeRandom(seed + Number(isRaw));
    const pair = await makePair(isRaw);
    pairs.push(pair);
    const differences: object[] = [];
    for (let done = 0; done < count / 2; done += atATime) {
      const inputs = Array.from({ length: atATime }, (_, i) => {
        const bytes = mutate(random, texts);
        return i % 4 === 0 ? splitAtRandom(bytes, random) : [bytes];
      });
      const found = await Promise.all(inputs.map((pieces) => findDifference(pair, pieces)));
      differences.push(...found.filter((difference) => difference !== undefined));
    }
    expect(differences.slice(0, 5)).toEqual([]);
    // Most of what is made so is odd; a part of it must reach the engine, or nothing was compared.
    expect(pair.engine.counters.requests).toBeGreaterThan(count / 20);
  });
}
