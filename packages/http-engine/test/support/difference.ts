/** What counts as a difference between node and the engine: all but what is meant to be one. */
import type { Outcome, Pair } from './differential.ts';

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

/** What node and the engine make of the same pieces, where it is not the same; undefined where it is. */
export async function findDifference(pair: Pair, pieces: readonly Buffer[]): Promise<object | undefined> {
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
