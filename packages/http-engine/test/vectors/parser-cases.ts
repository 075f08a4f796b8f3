/** Requests on which HTTP parsers have failed or disagree: the test cases of node's own parser (llhttp). */

export const parserCases: readonly (readonly [title: string, text: string])[] = [
  ['sample: Simple request', 'OPTIONS /url HTTP/1.1\r\nHeader1: Value1\r\nHeader2:\t Value2\r\n\r\n'],
  ['sample: Request with method starting with H', 'HEAD /url HTTP/1.1\r\n\r\n'],
  [
    'sample: curl GET',
    'GET /test HTTP/1.1\r\nUser-Agent: curl/7.18.0 (i486-pc-linux-gnu) libcurl/7.18.0 OpenSSL/0.9.8g zlib/1.2.3.3 libidn/1.1\r\nHost: 0.0.0.0=5000\r\nAccept: */*\r\n\r\n',
  ],
  [
    'sample: Firefox GET',
    'GET /favicon.ico HTTP/1.1\r\nHost: 0.0.0.0=5000\r\nUser-Agent: Mozilla/5.0 (X11; U; Linux i686; en-US; rv:1.9) Gecko/2008061015 Firefox/3.0\r\nAccept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nAccept-Language: en-us,en;q=0.5\r\nAccept-Encoding: gzip,deflate\r\nAccept-Charset: ISO-8859-1,utf-8;q=0.7,*;q=0.7\r\nKeep-Alive: 300\r\nConnection: keep-alive\r\n\r\n',
  ],
  ['sample: DUMBPACK', 'GET /dumbpack HTTP/1.1\r\naaaaaaaaaaaaa:++++++++++\r\n\r\n'],
  ['sample: No headers and no body', 'GET /get_no_headers_no_body/world HTTP/1.1\r\n\r\n'],
  ['sample: One header and no body', 'GET /get_one_header_no_body HTTP/1.1\r\nAccept: */*\r\n\r\n'],
  [
    'sample: Apache bench GET',
    'GET /test HTTP/1.0\r\nHost: 0.0.0.0:5000\r\nUser-Agent: ApacheBench/2.3\r\nAccept: */*\r\n\r\n',
  ],
  ['sample: Prefix newline', '\r\nGET /test HTTP/1.1\r\n\r\n'],
  ['sample: No HTTP version', 'GET /\r\n\r\n'],
  [
    'sample: Line folding in header value with CRLF',
    'GET / HTTP/1.1\r\nLine1:   abc\r\n\tdef\r\n ghi\r\n\t\tjkl\r\n  mno \r\n\t \tqrs\r\nLine2: \t line2\t\r\nLine3:\r\n line3\r\nLine4: \r\n \r\nConnection:\r\n close\r\n\r\n',
  ],
  [
    'sample: Line folding in header value with LF',
    'GET / HTTP/1.1\r\nLine1:   abc\n\tdef\n ghi\n\t\tjkl\n  mno \n\t \tqrs\nLine2: \t line2\t\nLine3:\n line3\nLine4: \n \nConnection:\n close\n\n',
  ],
  ['sample: No LF after CR', 'GET / HTTP/1.1\rLine: 1\r\n'],
  ['sample: Request starting with CRLF', '\r\nGET /url HTTP/1.1\r\nHeader1: Value1\r\n\r\n'],
  ['sample: Extended Characters', 'GET / HTTP/1.1\r\nTest: D\xc3\xbcsseldorf\r\n\r\n'],
  [
    'sample: 255 ASCII in header value',
    'OPTIONS /url HTTP/1.1\r\nHeader1: Value1\r\nHeader2: \xffValue2\r\n\r\n',
  ],
  [
    'sample: X-SSL-Nonsense',
    'GET / HTTP/1.1\r\nX-SSL-Nonsense:   -----BEGIN CERTIFICATE-----\r\n\tMIIFbTCCBFWgAwIBAgICH4cwDQYJKoZIhvcNAQEFBQAwcDELMAkGA1UEBhMCVUsx\r\n\tETAPBgNVBAoTCGVTY2llbmNlMRIwEAYDVQQLEwlBdXRob3JpdHkxCzAJBgNVBAMT\r\n\tAkNBMS0wKwYJKoZIhvcNAQkBFh5jYS1vcGVyYXRvckBncmlkLXN1cHBvcnQuYWMu\r\n\tdWswHhcNMDYwNzI3MTQxMzI4WhcNMDcwNzI3MTQxMzI4WjBbMQswCQYDVQQGEwJV\r\n\tSzERMA8GA1UEChMIZVNjaWVuY2UxEzARBgNVBAsTCk1hbmNoZXN0ZXIxCzAJBgNV\r\n\tBAcTmrsogriqMWLAk1DMRcwFQYDVQQDEw5taWNoYWVsIHBhcmQYJKoZIhvcNAQEB\r\n\tBQADggEPADCCAQoCggEBANPEQBgl1IaKdSS1TbhF3hEXSl72G9J+WC/1R64fAcEF\r\n\tW51rEyFYiIeZGx/BVzwXbeBoNUK41OK65sxGuflMo5gLflbwJtHBRIEKAfVVp3YR\r\n\tgW7cMA/s/XKgL1GEC7rQw8lIZT8RApukCGqOVHSi/F1SiFlPDxuDfmdiNzL31+sL\r\n\t0iwHDdNkGjy5pyBSB8Y79dsSJtCW/iaLB0/n8Sj7HgvvZJ7x0fr+RQjYOUUfrePP\r\n\tu2MSpFyf+9BbC/aXgaZuiCvSR+8Snv3xApQY+fULK/xY8h8Ua51iXoQ5jrgu2SqR\r\n\twgA7BUi3G8LFzMBl8FRCDYGUDy7M6QaHXx1ZWIPWNKsCAwEAAaOCAiQwggIgMAwG\r\n\tA1UdEwEB/wQCMAAwEQYJYIZIAYb4QgHTTPAQDAgWgMA4GA1UdDwEB/wQEAwID6DAs\r\n\tBglghkgBhvhCAQ0EHxYdVUsgZS1TY2llbmNlIFVzZXIgQ2VydGlmaWNhdGUwHQYD\r\n\tVR0OBBYEFDTt/sf9PeMaZDHkUIldrDYMNTBZMIGaBgNVHSMEgZIwgY+AFAI4qxGj\r\n\tloCLDdMVKwiljjDastqooXSkcjBwMQswCQYDVQQGEwJVSzERMA8GA1UEChMIZVNj\r\n\taWVuY2UxEjAQBgNVBAsTCUF1dGhvcml0eTELMAkGA1UEAxMCQ0ExLTArBgkqhkiG\r\n\t9w0BCQEWHmNhLW9wZXJhdG9yQGdyaWQtc3VwcG9ydC5hYy51a4IBADApBgNVHRIE\r\n\tIjAggR5jYS1vcGVyYXRvckBncmlkLXN1cHBvcnQuYWMudWswGQYDVR0gBBIwEDAO\r\n\tBgwrBgEEAdkvAQEBAQYwPQYJYIZIAYb4QgEEBDAWLmh0dHA6Ly9jYS5ncmlkLXN1\r\n\tcHBvcnQuYWMudmT4sopwqlBWsvcHViL2NybC9jYWNybC5jcmwwPQYJYIZIAYb4QgEDBDAWLmh0\r\n\tdHA6Ly9jYS5ncmlkLXN1cHBvcnQuYWMudWsvcHViL2NybC9jYWNybC5jcmwwPwYD\r\n\tVR0fBDgwNjA0oDKgMIYuaHR0cDovL2NhLmdyaWQt5hYy51ay9wdWIv\r\n\tY3JsL2NhY3JsLmNybDANBgkqhkiG9w0BAQUFAAOCAQEAS/U4iiooBENGW/Hwmmd3\r\n\tXCy6Zrt08YjKCzGNjorT98g8uGsqYjSxv/hmi0qlnlHs+k/3Iobc3LjS5AMYr5L8\r\n\tUO7OSkgFFlLHQyC9JzPfmLCAugvzEbyv4Olnsr8hbxF1MbKZoQxUZtMVu29wjfXk\r\n\thTeApBv7eaKCWpSp7MCbvgzm74izKhu3vlDk9w6qVrxePfGgpKPqfHiOoGhFnbTK\r\n\twTC6o2xq5y0qZ03JonF7OJspEd3I5zKY3E+ov7/ZhW6DqT8UFvsAdjvQbXyhV8Eu\r\n\tYhixw1aKEPzNjNowuIseVogKOLXxWI5vAi5HgXdS0/ES5gDGsABo4fqovUKlgop3\r\n\tRA==\r\n\t-----END CERTIFICATE-----\r\n\r\n',
  ],
  ['method: REPORT request', 'REPORT /test HTTP/1.1\r\n\r\n'],
  [
    'method: CONNECT request',
    'CONNECT 0-home0.netscape.com:443 HTTP/1.0\r\nUser-agent: Mozilla/1.1N\r\nProxy-authorization: basic aGVsbG86d29ybGQ=\r\n\r\nsome data\r\nand yet even more data',
  ],
  [
    'method: CONNECT request with CAPS',
    'CONNECT HOME0.NETSCAPE.COM:443 HTTP/1.0\r\nUser-agent: Mozilla/1.1N\r\nProxy-authorization: basic aGVsbG86d29ybGQ=\r\n\r\n',
  ],
  [
    'method: CONNECT with body',
    'CONNECT foo.bar.com:443 HTTP/1.0\r\nUser-agent: Mozilla/1.1N\r\nProxy-authorization: basic aGVsbG86d29ybGQ=\r\nContent-Length: 10\r\n\r\nblarfcicle"',
  ],
  [
    'method: M-SEARCH request',
    'M-SEARCH * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nMAN: "ssdp:discover"\r\nST: "ssdp:all"\r\n\r\n',
  ],
  [
    'method: PATCH request',
    'PATCH /file.txt HTTP/1.1\r\nHost: www.example.com\r\nContent-Type: application/example\r\nIf-Match: "e0023aa4e"\r\nContent-Length: 10\r\n\r\ncccccccccc',
  ],
  ['method: PURGE request', 'PURGE /file.txt HTTP/1.1\r\nHost: www.example.com\r\n\r\n'],
  ['method: SEARCH request', 'SEARCH / HTTP/1.1\r\nHost: www.example.com\r\n\r\n'],
  [
    'method: LINK request',
    'LINK /images/my_dog.jpg HTTP/1.1\r\nHost: example.com\r\nLink: <http://example.com/profiles/joe>; rel="tag"\r\nLink: <http://example.com/profiles/sally>; rel="tag"\r\n\r\n',
  ],
  [
    'method: LINK request (another)',
    'UNLINK /images/my_dog.jpg HTTP/1.1\r\nHost: example.com\r\nLink: <http://example.com/profiles/sally>; rel="tag"\r\n\r\n',
  ],
  ['method: SOURCE request', 'SOURCE /music/sweet/music HTTP/1.1\r\nHost: example.com\r\n\r\n'],
  ['method: SOURCE request with ICE', 'SOURCE /music/sweet/music ICE/1.0\r\nHost: example.com\r\n\r\n'],
  ['method: OPTIONS request with RTSP', 'OPTIONS /music/sweet/music RTSP/1.0\r\nHost: example.com\r\n\r\n'],
  ['method: ANNOUNCE request with RTSP', 'ANNOUNCE /music/sweet/music RTSP/1.0\r\nHost: example.com\r\n\r\n'],
  ['method: PRI request HTTP2', 'PRI * HTTP/1.1\r\n\r\nSM\r\n\r\n'],
  [
    'method: QUERY request',
    'QUERY /contacts HTTP/1.1\r\nHost: example.org\r\nContent-Type: example/query\r\nAccept: text/csv\r\nContent-Length: 41\r\n\r\nselect surname, givenname, email limit 10',
  ],
  ['uri: Quotes in URI', 'GET /with_"lovely"_quotes?foo=\\"bar\\" HTTP/1.1\r\n\r\n'],
  ['uri: Query URL with question mark', 'GET /test.cgi?foo=bar?baz HTTP/1.1\r\n\r\n'],
  ['uri: Host terminated by a query string', 'GET http://hypnotoad.org?hail=all HTTP/1.1\r\n\r\n\r\n'],
  ['uri: host:port terminated by a query string', 'GET http://hypnotoad.org:1234?hail=all HTTP/1.1\r\n\r\n'],
  ['uri: Query URL with vertical bar character', 'GET /test.cgi?query=| HTTP/1.1\r\n\r\n'],
  ['uri: host:port terminated by a space', 'GET http://hypnotoad.org:1234 HTTP/1.1\r\n\r\n'],
  [
    'uri: Disallow UTF-8 in URI path in strict mode',
    'GET /\xce\xb4\xc2\xb6/\xce\xb4t/pope?q=1#narf HTTP/1.1\r\nHost: github.com\r\n\r\n',
  ],
  ['uri: Fragment in URI', 'GET /forums/1/topics/2375?page=1#posts-17408 HTTP/1.1\r\n\r\n'],
  [
    'uri: Underscore in hostname',
    'CONNECT home_0.netscape.com:443 HTTP/1.0\r\nUser-agent: Mozilla/1.1N\r\nProxy-authorization: basic aGVsbG86d29ybGQ=\r\n\r\n',
  ],
  ['uri: host:port and basic auth', 'GET http://a%12:b!&*$@hypnotoad.org:1234/toto HTTP/1.1\r\n\r\n'],
  ['uri: Space in URI', 'GET /foo bar/ HTTP/1.1\r\n\r\n'],
  ['connection: Setting flag', 'PUT /url HTTP/1.1\r\nConnection: keep-alive\r\n\r\n'],
  [
    'connection: Restarting when keep-alive is explicitly',
    'PUT /url HTTP/1.1\r\nConnection: keep-alive\r\n\r\nPUT /url HTTP/1.1\r\nConnection: keep-alive\r\n\r\n',
  ],
  [
    'connection: No restart when keep-alive is off (1.0)',
    'PUT /url HTTP/1.0\r\n\r\nPUT /url HTTP/1.1\r\n\r\n',
  ],
  [
    'connection: Resetting flags when keep-alive is off (1.0, lenient)',
    'PUT /url HTTP/1.0\r\nContent-Length: 0\r\n\r\nPUT /url HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n',
  ],
  [
    'connection: CRLF between requests, implicit keep-alive',
    'POST / HTTP/1.1\r\nHost: www.example.com\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 4\r\n\r\nq=42\r\n\r\nGET / HTTP/1.1',
  ],
  ['connection: Not treating \\r as -', 'PUT /url HTTP/1.1\r\nConnection: keep\ralive\r\n\r\n'],
  ['connection: Setting flag on close', 'PUT /url HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['connection: Setting flag on close followed by tab', 'PUT /url HTTP/1.1\r\nConnection: close\t\r\n\r\n'],
  [
    'connection: CRLF between requests, explicit close',
    'POST / HTTP/1.1\r\nHost: www.example.com\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 4\r\nConnection: close\r\n\r\nq=42\r\n\r\nGET / HTTP/1.1',
  ],
  [
    'connection: CRLF between requests, explicit close followed by tab',
    'POST / HTTP/1.1\r\nHost: www.example.com\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 4\r\nConnection: close\t\r\n\r\nq=42\r\n\r\nGET / HTTP/1.1',
  ],
  ['connection: Sample', 'PUT /url HTTP/1.1\r\nConnection: close, token, upgrade, token, keep-alive\r\n\r\n'],
  [
    'connection: Multiple tokens with folding',
    'GET /demo HTTP/1.1\r\nHost: example.com\r\nConnection: Something,\r\n Upgrade, ,Keep-Alive\r\nSec-WebSocket-Key2: 12998 5 Y3 1  .P00\r\nSec-WebSocket-Protocol: sample\r\nUpgrade: WebSocket\r\nSec-WebSocket-Key1: 4 @1  46546xW%0l 1 5\r\nOrigin: http://example.com\r\n\r\nHot diggity dogg',
  ],
  [
    'connection: Multiple tokens with folding and LWS',
    'GET /demo HTTP/1.1\r\nConnection: keep-alive, upgrade\r\nUpgrade: WebSocket\r\n\r\nHot diggity dogg',
  ],
  [
    'connection: Multiple tokens with folding, LWS, and CRLF',
    'GET /demo HTTP/1.1\r\nConnection: keep-alive, \r\n upgrade\r\nUpgrade: WebSocket\r\n\r\nHot diggity dogg',
  ],
  [
    'connection: Invalid whitespace token with Connection header field',
    'PUT /url HTTP/1.1\r\nConnection : upgrade\r\nContent-Length: 4\r\nUpgrade: ws\r\n\r\nabcdefgh',
  ],
  [
    'connection: Setting a flag and pausing',
    'PUT /url HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: ws\r\n\r\n',
  ],
  [
    'connection: Emitting part of body and pausing',
    'PUT /url HTTP/1.1\r\nConnection: upgrade\r\nContent-Length: 4\r\nUpgrade: ws\r\n\r\nabcdefgh',
  ],
  [
    'connection: Upgrade GET request',
    'GET /demo HTTP/1.1\r\nHost: example.com\r\nConnection: Upgrade\r\nSec-WebSocket-Key2: 12998 5 Y3 1  .P00\r\nSec-WebSocket-Protocol: sample\r\nUpgrade: WebSocket\r\nSec-WebSocket-Key1: 4 @1  46546xW%0l 1 5\r\nOrigin: http://example.com\r\n\r\nHot diggity dogg',
  ],
  [
    'connection: Upgrade POST request',
    'POST /demo HTTP/1.1\r\nHost: example.com\r\nConnection: Upgrade\r\nUpgrade: HTTP/2.0\r\nContent-Length: 15\r\n\r\nsweet post bodyHot diggity dogg',
  ],
  ['content-length: Content-Length with zeroes', 'PUT /url HTTP/1.1\r\nContent-Length: 003\r\n\r\nabc'],
  [
    'content-length: Content-Length with follow-up headers',
    'PUT /url HTTP/1.1\r\nContent-Length: 003\r\nOhai: world\r\n\r\nabc',
  ],
  [
    'content-length: Error on Content-Length overflow',
    'PUT /url HTTP/1.1\r\nContent-Length: 1000000000000000000000\r\n',
  ],
  [
    'content-length: Error on duplicate Content-Length',
    'PUT /url HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n',
  ],
  [
    'content-length: Error on simultaneous Content-Length and Transfer-Encoding: identity',
    'PUT /url HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: identity\r\n\r\n',
  ],
  [
    'content-length: Invalid whitespace token with Content-Length header field',
    'PUT /url HTTP/1.1\r\nConnection: upgrade\r\nContent-Length : 4\r\nUpgrade: ws\r\n\r\nabcdefgh',
  ],
  [
    'content-length: Funky Content-Length with body',
    'GET /get_funky_content_length_body_hello HTTP/1.0\r\nconTENT-Length: 5\r\n\r\nHELLO',
  ],
  [
    'content-length: Spaces in Content-Length (surrounding)',
    'POST / HTTP/1.1\r\nContent-Length:  42 \r\n\r\n',
  ],
  [
    'content-length: Tabs in Content-Length (surrounding)',
    'POST / HTTP/1.1\r\nContent-Length:\t42\t  \r\n\r\n',
  ],
  ['content-length: Spaces in Content-Length #2', 'POST / HTTP/1.1\r\nContent-Length: 4 2\r\n\r\n'],
  ['content-length: Spaces in Content-Length #3', 'POST / HTTP/1.1\r\nContent-Length: 13 37\r\n\r\n'],
  ['content-length: Empty Content-Length', 'POST / HTTP/1.1\r\nContent-Length:\r\n\r\n'],
  [
    'content-length: Content-Length with CR instead of dash',
    'PUT /url HTTP/1.1\r\nContent\rLength: 003\r\n\r\nabc',
  ],
  [
    'content-length: Content-Length reset when no body is received',
    'PUT /url HTTP/1.1\r\nContent-Length: 123\r\n\r\nPOST /url HTTP/1.1\r\nContent-Length: 456\r\n\r\n',
  ],
  ['content-length: Missing CRLF-CRLF before body', 'PUT /url HTTP/1.1\r\nContent-Length: 3\r\n\rabc'],
  ['transfer-encoding: Parsing and setting flag', 'PUT /url HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n'],
  [
    'transfer-encoding: Parse chunks with lowercase size',
    'PUT /url HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n0\r\n\r\n',
  ],
  [
    'transfer-encoding: Parse chunks with uppercase size',
    'PUT /url HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n',
  ],
  [
    'transfer-encoding: POST with Transfer-Encoding: chunked',
    'POST /post_chunked_all_your_base HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1e\r\nall your base are belong to us\r\n0\r\n\r\n',
  ],
  [
    'transfer-encoding: Two chunks and triple zero prefixed end chunk',
    'POST /two_chunks_mult_zero_end HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n000\r\n\r\n',
  ],
  [
    'transfer-encoding: Trailing headers',
    'POST /chunked_w_trailing_headers HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\nVary: *\r\nContent-Type: text/plain\r\n\r\n',
  ],
  [
    'transfer-encoding: Chunk extensions',
    'POST /chunked_w_unicorns_after_length HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5;ilovew3;somuchlove=aretheseparametersfor;another=withvalue\r\nhello\r\n6;blahblah;blah\r\n world\r\n0\r\n',
  ],
  [
    'transfer-encoding: No semicolon before chunk extensions',
    'POST /chunked_w_unicorns_after_length HTTP/1.1\r\nHost: localhost\r\nTransfer-encoding: chunked\r\n\r\n2 erfrferferf\r\naa\r\n0 rrrr\r\n\r\n',
  ],
  [
    'transfer-encoding: No extension after semicolon',
    'POST /chunked_w_unicorns_after_length HTTP/1.1\r\nHost: localhost\r\nTransfer-encoding: chunked\r\n\r\n2;\r\naa\r\n0\r\n\r\n',
  ],
  [
    'transfer-encoding: Chunk extensions quoting',
    'POST /chunked_w_unicorns_after_length HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5;ilovew3="I \\"love\\"; \\\\extensions\\\\";somuchlove="aretheseparametersfor";blah;foo=bar\r\nhello\r\n6;blahblah;blah\r\n world\r\n0\r\n',
  ],
  [
    'transfer-encoding: Unbalanced chunk extensions quoting',
    'POST /chunked_w_unicorns_after_length HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5;ilovew3="abc";somuchlove="def; ghi\r\nhello\r\n6;blahblah;blah\r\n world\r\n0\r\n',
  ],
  ['transfer-encoding: Ignoring pigeons', 'PUT /url HTTP/1.1\r\nTransfer-Encoding: pigeons\r\n\r\n'],
  [
    'transfer-encoding: POST with Transfer-Encoding and Content-Length',
    'POST /post_identity_body_world?q=search#hey HTTP/1.1\r\nAccept: */*\r\nTransfer-Encoding: identity\r\nContent-Length: 5\r\n\r\nWorld',
  ],
  [
    'transfer-encoding: POST with Transfer-Encoding and Content-Length (lenient)',
    'POST /post_identity_body_world?q=search#hey HTTP/1.1\r\nAccept: */*\r\nTransfer-Encoding: identity\r\nContent-Length: 1\r\n\r\nWorld',
  ],
  [
    'transfer-encoding: POST with empty Transfer-Encoding and Content-Length (lenient)',
    'POST / HTTP/1.1\r\nHost: foo\r\nContent-Length: 10\r\nTransfer-Encoding:\r\nTransfer-Encoding:\r\nTransfer-Encoding:\r\n\r\n2\r\nAA\r\n0',
  ],
  [
    'transfer-encoding: POST with chunked before other transfer coding names',
    'POST /post_identity_body_world?q=search#hey HTTP/1.1\r\nAccept: */*\r\nTransfer-Encoding: chunked, deflate\r\n\r\nWorld',
  ],
  [
    'transfer-encoding: POST with chunked and duplicate transfer-encoding',
    'POST /post_identity_body_world?q=search#hey HTTP/1.1\r\nAccept: */*\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: deflate\r\n\r\nWorld',
  ],
  [
    'transfer-encoding: POST with chunked as last transfer-encoding',
    'POST /post_identity_body_world?q=search#hey HTTP/1.1\r\nAccept: */*\r\nTransfer-Encoding: deflate, chunked\r\n\r\n5\r\nWorld\r\n0\r\n\r\n',
  ],
  [
    'transfer-encoding: POST with chunked as last transfer-encoding (multiple headers)',
    'POST /post_identity_body_world?q=search#hey HTTP/1.1\r\nAccept: */*\r\nTransfer-Encoding: deflate\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nWorld\r\n0\r\n\r\n',
  ],
  [
    'transfer-encoding: POST with chunkedchunked as transfer-encoding',
    'POST /post_identity_body_world?q=search#hey HTTP/1.1\r\nAccept: */*\r\nTransfer-Encoding: chunkedchunked\r\n\r\n5\r\nWorld\r\n0\r\n\r\n',
  ],
  [
    'transfer-encoding: Missing last-chunk',
    'PUT /url HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nfoo\r\n\r\n',
  ],
  [
    'transfer-encoding: Validate chunk parameters',
    'PUT /url HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3 \n  \r\nfoo\r\n\r\n',
  ],
  [
    'transfer-encoding: Invalid OBS fold after chunked value',
    'PUT /url HTTP/1.1\r\nTransfer-Encoding: chunked\r\n  abc\r\n\r\n5\r\nWorld\r\n0\r\n\r\n',
  ],
  [
    'transfer-encoding: Chunk header not terminated by CRLF',
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: close \r\nTransfer-Encoding: chunked \r\n\r\n5\r\r;ABCD\r\n34\r\nE\r\n0\r\n\r\nGET / HTTP/1.1 \r\nHost: a\r\nContent-Length: 5\r\n\r\n0\r\n',
  ],
  [
    'transfer-encoding: Chunk header not terminated by CRLF (lenient)',
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: close \r\nTransfer-Encoding: chunked \r\n\r\n6\r\r;ABCD\r\n33\r\nE\r\n0\r\n\r\nGET / HTTP/1.1 \r\nHost: a\r\nContent-Length: 5\r\n0\r\n\r\n',
  ],
  [
    'transfer-encoding: Chunk data not terminated by CRLF',
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: close \r\nTransfer-Encoding: chunked \r\n\r\n5\r\nABCDE0\r\n',
  ],
  [
    'transfer-encoding: Space after chunk header',
    'PUT /url HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\na \r\n0123456789\r\n0\r\n\r\n',
  ],
  ['invalid: ICE protocol and GET method', 'GET /music/sweet/music ICE/1.0\r\nHost: example.com\r\n\r\n'],
  ['invalid: ICE protocol, but not really', 'GET /music/sweet/music IHTTP/1.0\r\nHost: example.com\r\n\r\n'],
  ['invalid: RTSP protocol and PUT method', 'PUT /music/sweet/music RTSP/1.0\r\nHost: example.com\r\n\r\n'],
  [
    'invalid: HTTP protocol and ANNOUNCE method',
    'ANNOUNCE /music/sweet/music HTTP/1.0\r\nHost: example.com\r\n\r\n',
  ],
  ['invalid: Headers separated by CR', 'GET / HTTP/1.1\r\nFoo: 1\rBar: 2\r\n\r\n'],
  [
    'invalid: Headers separated by LF',
    'POST / HTTP/1.1\r\nHost: localhost:5000\r\nx:x\nTransfer-Encoding: chunked\r\n\r\n1\r\nA\r\n0\r\n',
  ],
  [
    'invalid: Headers separated by dummy characters',
    'GET / HTTP/1.1\r\nConnection: close\r\nHost: a\r\n\rZGET /evil: HTTP/1.1\r\nHost: a\r\n',
  ],
  [
    'invalid: Empty headers separated by CR',
    'POST / HTTP/1.1\r\nConnection: Close\r\nHost: localhost:5000\r\nx:\rTransfer-Encoding: chunked\r\n\r\n1\r\nA\r\n0\r\n',
  ],
  [
    'invalid: Empty headers separated by LF',
    'POST / HTTP/1.1\r\nHost: localhost:5000\r\nx:\nTransfer-Encoding: chunked\r\n\r\n1\r\nA\r\n0\r\n',
  ],
  ['invalid: Invalid header token #1', 'GET / HTTP/1.1\r\nFo@: Failure\r\n\r\n'],
  ['invalid: Invalid header token #2', 'GET / HTTP/1.1\r\nFoo\\01\test: Bar\r\n\r\n'],
  ['invalid: Invalid header token #3', 'GET / HTTP/1.1\r\n: Bar\r\n\r\n'],
  ['invalid: Invalid method', 'MKCOLA / HTTP/1.1\r\n\r\n'],
  ['invalid: Illegal header field name line folding', 'GET / HTTP/1.1\r\nname\r\n : value\r\n\r\n'],
  [
    'invalid: Corrupted Connection header',
    'GET / HTTP/1.1\r\nHost: www.example.com\r\nConnection\r\\033\\065\\325eep-Alive\r\nAccept-Encoding: gzip\r\n\r\n',
  ],
  [
    'invalid: Corrupted header name',
    'GET / HTTP/1.1\r\nHost: www.example.com\r\nX-Some-Header\r\\033\\065\\325eep-Alive\r\nAccept-Encoding: gzip\r\n\r\n',
  ],
  [
    'invalid: Missing CR between headers',
    'GET / HTTP/1.1\r\nHost: localhost\r\nDummy: x\nContent-Length: 23\r\n\r\nGET / HTTP/1.1\r\nDummy: GET /admin HTTP/1.1\r\nHost: localhost\r\n\r\n',
  ],
  ['invalid: Invalid HTTP version', 'GET / HTTP/5.6'],
  ['invalid: Invalid space after start line', 'GET / HTTP/1.1\r\n Host: foo'],
  [
    'invalid: Only LFs present',
    'POST / HTTP/1.1\nTransfer-Encoding: chunked\nTrailer: Baz\r\nFoo: abc\nBar: def\n\n1\nA\n1;abc\nB\n1;def=ghi\nC\n1;jkl="mno"\nD\n0\n\nBaz: ghi\n\n\\',
  ],
  [
    'invalid: Only LFs present (lenient)',
    'POST / HTTP/1.1\nTransfer-Encoding: chunked\nTrailer: Baz\r\nFoo: abc\nBar: def\n\n1\nA\n1;abc\nB\n1;def=ghi\nC\n1;jkl="mno"\nD\n0\n\nBaz: ghi\n\n',
  ],
  [
    'invalid: Spaces before headers',
    'POST /hello HTTP/1.1\r\nHost: localhost\r\nFoo: bar\r\n Content-Length: 38\r\n\r\nGET /bye HTTP/1.1\r\nHost: localhost\r\n\r\n',
  ],
  [
    'pipelining: Should parse multiple events',
    'POST /aaa HTTP/1.1\r\nContent-Length: 3\r\n\r\nAAA\r\nPUT /bbb HTTP/1.1\r\nContent-Length: 4\r\n\r\nBBBB\r\nPATCH /ccc HTTP/1.1\r\nContent-Length: 5\r\n\r\nCCCC',
  ],
  ['finish: It should be safe to finish after GET request', 'GET / HTTP/1.1\r\n\r\n'],
  [
    'finish: It should be unsafe to finish after incomplete PUT request',
    'PUT / HTTP/1.1\r\nContent-Length: 100\r\n',
  ],
  ['finish: It should be unsafe to finish inside of the header', 'PUT / HTTP/1.1\r\nContent-Leng'],
  ['lenient-headers: Header value (lenient)', 'GET /url HTTP/1.1\r\nHeader1: \x0c\r\n\r\n'],
  [
    'lenient-headers: Second request header value (lenient)',
    'GET /url HTTP/1.1\r\nHeader1: Okay\r\n\r\n\r\nGET /url HTTP/1.1\r\nHeader1: \x0c\r\n\r\n',
  ],
  ['lenient-headers: Header value', 'GET /url HTTP/1.1\r\nHeader1: \x0c\r\n\r\n\r\n'],
  ['lenient-version: Invalid HTTP version (lenient)', 'GET / HTTP/5.6\r\n\r\n'],
];
