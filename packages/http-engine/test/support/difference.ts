/** Finds differences between node and the engine, except those that are intended. */
import { authorityOf, type Outcome, type Pair } from './differential.ts';

/** Not with the code of the engine, but with the grammar of RFC 3986 as a regular expression. */
const validHost = /^(\[[\w:.~!$&'()*+,;=%-]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?$/;

function hasInvalidHost({ target, rawHeaders }: Outcome['requests'][number]): boolean {
  const hosts = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === 'host');
  const authority = authorityOf(target);
  if (authority !== undefined && (authority === '' || !validHost.test(authority))) return true;
  return hosts.length > 1 || hosts.some((host) => !validHost.test(host));
}

/** If node serves a request whose Host the engine refuses, both must be the same up to this request. */
function cutAtInvalidHost(outcome: Outcome, node: Outcome): Outcome {
  const cut = node.requests.findIndex(hasInvalidHost);
  if (cut === -1) return outcome;
  const answers = outcome.answers.split(/(?=HTTP\/1\.1 )/).slice(0, cut);
  return { answers: answers.join(''), requests: outcome.requests.slice(0, cut) };
}

/** Whether both have answers, and one begins with all answers of the other. */
function begins(text: string, other: string): boolean {
  return text !== '' && other !== '' && (text.startsWith(other) || other.startsWith(text));
}

/**
 * Whether both have the same requests, and the same answers as far as both have them: if one read contains requests and bytes that are not
 * a request, node closes before it has written all answers, and their number depends on chance.
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

/** Returns what node and the engine do with the same pieces, if it differs; `undefined` if it is the same. */
export async function findDifference(pair: Pair, pieces: readonly Buffer[]): Promise<object | undefined> {
  // A reset may overtake an answer, so only what differs several times is a difference.
  for (let attempt = 0; attempt < 4; attempt++) {
    const { node, engine } = await pair.compare(pieces);
    if (isSame(node, engine)) return undefined;
    if (isSame(cutAtInvalidHost(node, node), cutAtInvalidHost(engine, node))) return undefined;
    if (isRefusedExpectation(node, engine)) return undefined;
    if (attempt === 3) return { pieces: pieces.map((piece) => piece.toString('latin1')), node, engine };
  }
  return undefined;
}
