// Proves that complete responses are read, with each framing, and with the bytes cut at any position.
import { expect, test } from 'vitest';
import { readResponse, WrongResponse } from './responses.mjs';

const withLength = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}';
const inChunks =
  'HTTP/1.1 404 Not Found\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\na\r\n0123456789\r\n0\r\n\r\n';

test('a response with a length ends at this length, and the bytes after it belong to the next one', () => {
  const response = readResponse(Buffer.from(`${withLength}HTTP/1.1 200`));
  expect(response).toEqual({
    status: 200,
    type: 'application/json',
    body: '{"a":1}',
    size: withLength.length,
  });
});

test('the chunks of a response are joined', () => {
  const response = readResponse(Buffer.from(inChunks));
  expect(response).toEqual({
    status: 404,
    type: 'text/plain',
    body: 'abc0123456789',
    size: inChunks.length,
  });
});

for (const [name, text] of Object.entries({ 'with a length': withLength, 'in chunks': inChunks })) {
  test(`a response ${name} is incomplete at every byte before its last`, () => {
    const cuts = Array.from({ length: text.length }, (_, end) =>
      readResponse(Buffer.from(text.slice(0, end))),
    );
    expect(cuts.filter((response) => response !== undefined)).toEqual([]);
  });
}

test('a response without a length or chunks is wrong', () => {
  expect(() => readResponse(Buffer.from('HTTP/1.1 200 OK\r\n\r\nhello'))).toThrow(WrongResponse);
});
