// Proves that complete responses are read, with each framing, and if the bytes are cut at any place.
import { expect, test } from 'vitest';
import { readAnswer, WrongAnswer } from './answers.mjs';

const withLength = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}';
const inChunks =
  'HTTP/1.1 404 Not Found\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\na\r\n0123456789\r\n0\r\n\r\n';

test('an answer with a length ends where it says, and what follows belongs to the next', () => {
  const answer = readAnswer(Buffer.from(`${withLength}HTTP/1.1 200`));
  expect(answer).toEqual({ status: 200, type: 'application/json', body: '{"a":1}', size: withLength.length });
});

test('an answer in chunks is put together', () => {
  const answer = readAnswer(Buffer.from(inChunks));
  expect(answer).toEqual({
    status: 404,
    type: 'text/plain',
    body: 'abc0123456789',
    size: inChunks.length,
  });
});

for (const [name, text] of Object.entries({ 'with a length': withLength, 'in chunks': inChunks })) {
  test(`an answer ${name} is incomplete at every byte before its last`, () => {
    const cuts = Array.from({ length: text.length }, (_, end) => readAnswer(Buffer.from(text.slice(0, end))));
    expect(cuts.filter((answer) => answer !== undefined)).toEqual([]);
  });
}

test('an answer that does not say where it ends is wrong', () => {
  expect(() => readAnswer(Buffer.from('HTTP/1.1 200 OK\r\n\r\nhello'))).toThrow(WrongAnswer);
});
