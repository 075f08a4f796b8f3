/** Changes requests at random, as an attacker would who searches for bytes that two servers read differently. */

type Random = (limit: number) => number;

const unusualBytes = [
  '\r',
  '\n',
  '\r\n',
  ' ',
  '\t',
  '\0',
  ':',
  '/',
  ';',
  ',',
  '0',
  '1',
  'a',
  '\x7f',
  '\x80',
  '\xff',
  '\x0b',
  '\r\n ',
];
const unusualLines = [
  'Transfer-Encoding: chunked',
  'Transfer-Encoding : chunked',
  'transfer-encoding: identity',
  'Content-Length: 0',
  'Content-Length: 5',
  'Content-Length: 05',
  'Content-Length: 5,5',
  'Content_Length: 7',
  'Connection: close',
  'Connection: keep-alive',
  'Connection: close, keep-alive',
  'Connection: upgrade',
  'Upgrade: websocket',
  'Expect: 100-continue',
  'Host: b',
  'Host: a/b',
  'Host: u@a',
  'Keep-Alive: 5',
  'Proxy-Connection: close',
  'Trailer: X',
  'TE: trailers',
  'X: y',
  ' folded',
  'Set-Cookie: a=1',
  '__proto__: x',
];
const unusualRequestLines = [
  'GET /x HTTP/1.1',
  'POST /x HTTP/1.1',
  'GET http://b/ HTTP/1.1',
  'GET /x HTTP/1.0',
  'HEAD /x HTTP/1.1',
];

function pick<T>(random: Random, list: readonly T[]): T {
  return list[random(list.length)]!;
}

function splice(text: string, at: number, removed: number, inserted: string): string {
  return text.slice(0, at) + inserted + text.slice(at + removed);
}

function spliceLine(random: Random, text: string, removed: number, inserted: string[]): string {
  const lines = text.split('\r\n');
  lines.splice(random(lines.length), removed, ...inserted);
  return lines.join('\r\n');
}

const mutations: readonly ((random: Random, text: string, other: string) => string)[] = [
  (random, text) => splice(text, random(text.length), 1, String.fromCharCode(random(256))),
  (random, text) => splice(text, random(text.length), 0, pick(random, unusualBytes)),
  (random, text) => splice(text, random(text.length), 1, pick(random, unusualBytes)),
  (random, text) => splice(text, random(text.length), 1 + random(4), ''),
  (random, text) =>
    splice(text, random(text.length), 0, text.slice(random(text.length)).slice(0, random(30))),
  (random, text, other) => splice(text, random(text.length), random(10), other.slice(random(other.length))),
  (random, text) => spliceLine(random, text, 0, [pick(random, unusualLines)]),
  (random, text) => spliceLine(random, text, 1, [pick(random, unusualLines)]),
  (random, text) => spliceLine(random, text, 1, []),
  (random, text) => spliceLine(random, text, 1, [pick(random, unusualRequestLines)]),
  (random, text) => text.slice(0, random(text.length)),
  (_random, text, other) => text + other,
  (random, text) => (random(2) === 0 ? text.toUpperCase() : text.toLowerCase()),
];

/** One to three changes of one of the texts. */
export function mutate(random: Random, texts: readonly string[]): Buffer {
  let text = pick(random, texts);
  for (let i = random(3); i >= 0; i--) text = pick(random, mutations)(random, text, pick(random, texts));
  return Buffer.from(text === '' ? 'G' : text, 'latin1');
}
