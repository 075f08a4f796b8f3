/** Requests that the engine serves itself. */

const post = (body: string): string =>
  `POST /notes HTTP/1.1\r\nHost: a.example\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

export const accepted: Readonly<Record<string, string>> = {
  'a plain GET': 'GET / HTTP/1.1\r\nHost: a.example\r\n\r\n',
  'names in upper case': 'GET / HTTP/1.1\r\nHOST: a.example\r\nX-ONE: 1\r\n\r\n',
  'values with spaces around':
    'GET / HTTP/1.1\r\nHost:   a.example  \r\nX-One:1\r\nX-Two:\r\nX-Three:  \r\n\r\n',
  'a value with spaces within': 'GET / HTTP/1.1\r\nHost: a\r\nUser-Agent: Some  Browser/1.0 (x; y)\r\n\r\n',
  'bytes beyond ASCII in a value': 'GET / HTTP/1.1\r\nHost: a\r\nX-Name: J\xfcrgen \xff\x80\r\n\r\n',
  'every character that a target may have':
    'GET /!"$%&\'()*+,-./0123456789:;<=>?@AZ[\\]^_`az{|}~#frag?x#y HTTP/1.1\r\nHost: a\r\n\r\n',
  'every character that a name may have': "GET / HTTP/1.1\r\nHost: a\r\n!#$%&'*+-.^_`|~09azAZ: yes\r\n\r\n",
  'a target that looks like an authority': 'GET //evil.example/path HTTP/1.1\r\nHost: a\r\n\r\n',
  'an empty Host': 'GET / HTTP/1.1\r\nHost:\r\n\r\n',
  'a Host with a port': 'GET / HTTP/1.1\r\nHost: a.example:8080\r\n\r\n',
  'a Host that is an address': 'GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n',
  'fields of one name': 'GET / HTTP/1.1\r\nHost: a\r\nAccept: x\r\naccept: y\r\nX: 1\r\nx: 2\r\nX: 3\r\n\r\n',
  'fields of which the first counts':
    'GET / HTTP/1.1\r\nHost: a\r\nUser-Agent: x\r\nUser-Agent: y\r\nAuthorization: 1\r\nauthorization: 2\r\n\r\n',
  'cookies in several fields':
    'GET / HTTP/1.1\r\nHost: a\r\nCookie: a=1\r\ncookie: b=2\r\nCookie: c=3\r\n\r\n',
  'set-cookie, which is always a list':
    'GET / HTTP/1.1\r\nHost: a\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\n\r\n',
  'names that objects have':
    'GET / HTTP/1.1\r\nHost: a\r\n__proto__: x\r\nconstructor: y\r\ntoString: z\r\n\r\n',
  'a body': post('{"text":"hello"}'),
  'a body in one byte': post('x'),
  'an empty body': post(''),
  'a body that looks like a request': post('GET /smuggled HTTP/1.1\r\nHost: b\r\n\r\n'),
  'a length with zeros before it': 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0005\r\n\r\nhello',
  'a GET with a body': 'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello',
  'two requests': 'GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n',
  'two requests that differ in a field':
    'GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: b\r\n\r\n',
  'a POST, then a GET': `${post('abc')}GET /2 HTTP/1.1\r\nHost: a\r\n\r\n`,
  'POSTs with the same fields': post('abc') + post('def') + post('ghi'),
  'POSTs of which the second is shorter': post('abcdef') + post('def'),
  'the last request of a connection': 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'close in upper case': 'GET / HTTP/1.1\r\nHost: a\r\nConnection: CLOSE\r\n\r\n',
  'a body with the last request':
    'POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc',
  'keep-alive in words': 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Keep-Alive\r\n\r\n',
  'a HEAD': 'HEAD / HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n',
  'PUT, PATCH, DELETE and OPTIONS':
    'PUT /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nxPATCH /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\ny' +
    'DELETE /3 HTTP/1.1\r\nHost: a\r\n\r\nOPTIONS /4 HTTP/1.1\r\nHost: a\r\n\r\n',
};
