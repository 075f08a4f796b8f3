// Requests that two readers may read in two ways. Each asks for `/crafted`; what hides in the body of some asks for `/smuggled`, which
// nobody may see.

const hidden = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';
const next = 'GET /crafted-2 HTTP/1.1\r\nHost: a\r\n\r\n';
const chunks = '3\r\nabc\r\n0\r\n\r\n';
const post = (fields, rest) => `POST /crafted HTTP/1.1\r\nHost: a\r\nX-Before: x\r\n${fields}\r\n${rest}`;
const get = (fields) => `GET /crafted HTTP/1.1\r\nHost: a\r\nX-Before: x\r\n${fields}\r\n`;
const length = `Content-Length: ${hidden.length}\r\n`;
const chunked = 'Transfer-Encoding: chunked\r\n';

/** Ways to write the field so that one reader knows it, and another does not. */
const disguises = [
  'Transfer-Encoding : chunked',
  'Transfer-Encoding:\tchunked',
  'Transfer-Encoding: \x0bchunked',
  'Transfer-Encoding:\r\n chunked',
  ' Transfer-Encoding: chunked',
  'X: y\rTransfer-Encoding: chunked',
  'X: y\nTransfer-Encoding: chunked',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding: identity',
  'Transfer-Encoding: "chunked"',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: identity, chunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: x',
  'Transfer-Encoding: x\r\nTransfer-Encoding: chunked',
  'TRANSFER-ENCODING: CHUNKED',
  'Transfer_Encoding: chunked',
  'Transfer-Encoding: chunked\0',
  'Transfer-Encoding: chun\x80ked',
];

/** Node takes these where a proxy sends them on; the engine refuses them. */
export const withInvalidHost = [
  'GET /host-1 HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'GET /host-2 HTTP/1.1\r\nHost: a/b\r\n\r\n',
  'GET /host-3 HTTP/1.1\r\nHost: u@a\r\n\r\n',
];

export const crafted = [
  ...disguises.map((field) => post(`${length}${field}\r\n`, hidden)),
  ...disguises.map((field) => post(`${field}\r\nContent-Length: 5\r\n`, `0\r\n\r\n${next}`)),
  post(chunked + length, '0\r\n\r\n'),
  post(`Content-Length: 6\r\n${chunked}`, '0\r\n\r\nG'),
  post('Content-Length: 0\r\nContent-Length: 10\r\n', '0123456789'),
  post('Content-Length: 10\r\nContent-Length: 10\r\n', '0123456789'),
  post('Content-Length: 3, 3\r\n', 'abc'),
  post('Content-Length: +3\r\n', 'abc'),
  post(chunked, '3;x="\r\n"\r\nabc\r\n0\r\n\r\n'),
  post(chunked, '3\nabc\n0\n\n'),
  post(chunked, `${chunks}`),
  post(chunked, '3\r\nabc\r\n0\r\nX-Trailer: 1\r\n\r\n'),
  post(length, hidden),
  get('Connection: close, Host\r\n'),
  get('Connection: Content-Length\r\nContent-Length: 5\r\n'),
  get('X: a\r\n folded\r\n'),
  'GET http://b/crafted HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /crafted HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
  'GET /crafted?a b HTTP/1.1\r\nHost: a\r\n\r\n',
  `GET /crafted HTTP/1.1\r\nHost: a\r\n\r\n${next}`,
  'GET /crafted HTTP/1.1\nHost: a\n\n',
];
