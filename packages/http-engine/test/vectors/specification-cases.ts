/**
 * Requests that a server must wait for, answer or refuse (RFC 9110 and 9112): what each is, its bytes, and how the answer's status
 * begins. An empty status: the request is not complete, and the server waits.
 */

const get = (fields: string): string => `GET / HTTP/1.1\r\nHost: example.com\r\n${fields}\r\n`;
const post = (fields: string, body: string): string =>
  `POST / HTTP/1.1\r\nHost: example.com\r\n${fields}\r\n${body}`;

/** One request, cut where a part of it begins or ends. */
const incomplete = [
  'G',
  'GET ',
  'GET /hello',
  'GET /hello ',
  'GET /hello HTTP',
  'GET /hello HTTP/1.1',
  'GET /hello HTTP/1.1\r',
  'GET /hello HTTP/1.1\r\n',
  'GET /hello HTTP/1.1\r\nHos',
  'GET /hello HTTP/1.1\r\nHost:',
  'GET /hello HTTP/1.1\r\nHost: ',
  'GET /hello HTTP/1.1\r\nHost: localhost',
  'GET /hello HTTP/1.1\r\nHost: localhost\r',
  'GET /hello HTTP/1.1\r\nHost: localhost\r\n',
  'GET /hello HTTP/1.1\r\nHost: localhost\r\n\r',
];

export const specificationCases: readonly (readonly [title: string, text: string, status: string])[] = [
  ...incomplete.map((text) => [`the beginning ${JSON.stringify(text)}`, text, ''] as const),
  ['a request line without a version', 'GET / \r\n\r\n', '4'],
  ['an expectation', get('Expect: 100-continue\r\n'), '1'],
  ['a GET', get(''), '2'],
  ['a Host behind a tab, and an empty value', 'GET / HTTP/1.1\r\nhoSt:\texample.com\r\nempty:\r\n\r\n', '2'],
  ['brackets in a name', get('X-Invalid[]: test\r\n'), '4'],
  ['no Host', 'GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\n', '4'],
  ['two Hosts', get('Host: example.org\r\n'), '4'],
  ['a negative length beyond all numbers', get('Content-Length: -123456789123456789123456789\r\n'), '4'],
  ['a negative length', get('Content-Length: -1234\r\n'), '4'],
  ['a length in letters', get('Content-Length: abc\r\n'), '4'],
  ['an empty value behind a space', get('X-Empty-Header: \r\n'), '2'],
  ['a control character in a value', get('X-Bad-Control-Char: test\x07\r\n'), '4'],
  ['an unknown version', 'GET / HTTP/9.9\r\nHost: example.com\r\n\r\n', '4'],
  ['words before the method', 'Extra lineGET / HTTP/1.1\r\nHost: example.com\r\n\r\n', '4'],
  ['a bare CR behind the fields', 'GET / HTTP/1.1\r\nHost: example.com\r\n\rSome-Header: Test\r\n\r\n', '4'],
  ['a POST', post('Content-Length: 5\r\n', 'hello'), '2'],
  ['a body in chunks', post('Transfer-Encoding: chunked\r\n', 'c\r\nHellO world1\r\n0\r\n\r\n'), '2'],
  [
    'a length and chunks',
    post('content-LengtH: 5\r\nTransFer-Encoding: chunked\r\n', 'c\r\nHellO world1\r\n0\r\n\r\n'),
    '4',
  ],
];
